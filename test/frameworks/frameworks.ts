/** The agent frameworks of docs/clients.md, each with the packages that are installed for it and the name for an address. */

export interface Framework {
  /** For an address: `?client=…`. @default it needs nothing */
  readonly client?: string
  readonly language: 'python' | 'node' | 'java'
  /** Exact versions. */
  readonly packages: readonly string[]
  /** Calls that it cannot make, or whose result it gives no model, whatever the gateway sends. @default none */
  readonly loses?: readonly string[]
}

export const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  langchain: python('langchain', 'langchain-mcp-adapters==0.3.2'),
  'openai-agents': python('openai-agents', 'openai-agents==0.24.0'),
  'pydantic-ai': python(undefined, 'pydantic-ai-slim[mcp]==2.68.0'),
  smolagents: python('smolagents', 'smolagents[mcp]==1.26.0', 'mcpadapt==0.1.20', 'mcp<2'),
  'llama-index': python('llama-index', 'llama-index-tools-mcp==0.6.0'),
  crewai: python('crewai', 'crewai-tools[mcp]==1.15.30'),
  'google-adk': python('google-adk', 'google-adk[mcp]==2.13.0', 'mcp==2.3.0'),
  'semantic-kernel': python('semantic-kernel', 'semantic-kernel[mcp]==1.45.0'),
  // Its lists have items of one type.
  autogen: losing(
    ['tuple', 'anything_in_list'],
    python('autogen', 'autogen-ext[mcp]==0.7.5', 'mcp<2'),
  ),
  'mcp-use': python('mcp-use', 'mcp-use==1.7.1'),
  agno: python('agno', 'agno==3.1.10', 'mcp==2.3.0', 'fastmcp==4.2.3'),
  strands: python('strands', 'strands-agents==1.62.0'),
  'ai-sdk': node(undefined, '@ai-sdk/mcp@2.0.99'),
  mastra: node(undefined, '@mastra/mcp@2.0.0', '@mastra/core@1.71.0'),
  'langchain-js': node('langchain-js', '@langchain/mcp-adapters@1.1.4', '@langchain/core@1.4.0'),
  // It loads the packages of its agent, which npm does not install with it.
  'mcp-use-js': node(undefined, 'mcp-use@1.34.6', 'langchain@1.2.39', '@langchain/core@1.4.0'),
  langchain4j: {
    language: 'java',
    client: 'langchain4j',
    packages: ['dev.langchain4j:langchain4j-mcp:1.18.1-beta28'],
  },
}

function losing(loses: readonly string[], framework: Framework): Framework {
  return { ...framework, loses }
}

function python(client: string | undefined, ...packages: string[]): Framework {
  return { language: 'python', packages, ...(client !== undefined && { client }) }
}

function node(client: string | undefined, ...packages: string[]): Framework {
  return { language: 'node', packages, ...(client !== undefined && { client }) }
}

/** A package without its version, for the newest one. */
export function newest(named: string): string {
  return named.replace(/(?<=.)(==|@|:)[\d.]+(-\w+)?$/, '')
}
