/** How clients connect to this gateway: what docs/clients.md says, with its address and authentication. */
import { openaiCode, pythonCode, typescriptCode } from './example-programs.ts'

/** `key`: the client sends an API key. `sign-in`: the client opens the sign-in itself, when the gateway asks for it. */
export type Authentication = 'none' | 'key' | 'sign-in'

export interface Gateway {
  /** Such as `http://127.0.0.1:3000`. */
  origin: string
  authentication: Authentication
}

export interface Snippet {
  /** What to do with it, in a sentence. */
  lead: string
  language: string
  code: string
}

export interface ClientGuide {
  id: string
  name: string
  snippets: readonly Snippet[]
  /** An address that adds the server to the client. @default none */
  install?: string
}

/** Replaced by users. A real key could end up in a screenshot. */
const KEY = 'KEY'

export function guides({ origin, authentication }: Gateway): ClientGuide[] {
  const url = `${origin}/mcp`
  const hasKey = authentication === 'key'
  const headers = hasKey ? { headers: { Authorization: `Bearer ${KEY}` } } : {}
  const server = { type: 'http', url, ...headers }
  const curlKey = hasKey ? ` \\\n  -H 'Authorization: Bearer ${KEY}'` : ''
  const token = hasKey ? ' --token @key.txt' : ''
  // Only the command line of this machine finds the gateway by itself.
  const at = origin === 'http://127.0.0.1:3000' ? '' : ` --url ${url}`
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      snippets: [
        {
          lead: 'Run this in a terminal:',
          language: 'sh',
          code: `claude mcp add --transport http ftl ${url}${hasKey ? ` --header "Authorization: Bearer ${KEY}"` : ''}`,
        },
        {
          lead: 'To share the server with everyone who works in a folder, add .mcp.json to that folder:',
          language: 'json',
          code: config('mcpServers', server),
        },
      ],
    },
    {
      id: 'claude-desktop',
      name: 'Claude Desktop',
      snippets: [
        {
          lead: 'Choose Settings, Developer, Edit Config, add this, and restart Claude:',
          language: 'json',
          code: config('mcpServers', {
            command: 'npx',
            args: [
              '-y',
              'mcp-remote',
              url,
              ...(hasKey ? ['--header', `Authorization: Bearer ${KEY}`] : []),
            ],
          }),
        },
      ],
    },
    {
      id: 'vs-code',
      name: 'VS Code',
      snippets: [
        {
          lead: 'Add the server to .vscode/mcp.json:',
          language: 'json',
          code: config('servers', server),
        },
      ],
      ...(!hasKey && {
        install: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'ftl', ...server }))}`,
      }),
    },
    {
      id: 'cursor',
      name: 'Cursor',
      snippets: [
        {
          lead: 'Add the server to .cursor/mcp.json, or to ~/.cursor/mcp.json for all projects:',
          language: 'json',
          code: config('mcpServers', { url, ...headers }),
        },
      ],
      ...(!hasKey && {
        install: `cursor://anysphere.cursor-deeplink/mcp/install?name=ftl&config=${encodeURIComponent(btoa(JSON.stringify({ url })))}`,
      }),
    },
    {
      id: 'inspector',
      name: 'Inspector',
      snippets: [
        {
          lead: 'Start the official Inspector, connected to this gateway:',
          language: 'sh',
          code: `npx ftl inspect${at}${token}`,
        },
        {
          lead: 'Or use only its command line:',
          language: 'sh',
          code: `npx @modelcontextprotocol/inspector --cli ${url} --method tools/list${hasKey ? ` --header "Authorization: Bearer ${KEY}"` : ''}`,
        },
      ],
    },
    {
      id: 'ftl',
      name: 'ftl',
      snippets: [
        {
          lead: hasKey ? 'Store the key in key.txt, then run:' : 'Run this in a terminal:',
          language: 'sh',
          code: [
            ...(authentication === 'sign-in' ? [`npx ftl login ${url}`] : []),
            `npx ftl tools${at}${token}`,
            `npx ftl call calculator expression='6*7'${at}${token}`,
          ].join('\n'),
        },
      ],
    },
    {
      id: 'curl',
      name: 'curl',
      snippets: [
        {
          lead: 'Call a tool over MCP:',
          language: 'sh',
          code: `curl -s ${url} -H 'Content-Type: application/json'${curlKey} \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hello"}}}'`,
        },
        {
          lead: 'Or over plain HTTP:',
          language: 'sh',
          code: `curl -s ${origin}/tools/echo -H 'Content-Type: application/json'${curlKey} -d '{"message":"hello"}'`,
        },
      ],
    },
    {
      id: 'typescript',
      name: 'TypeScript',
      snippets: [
        {
          lead: 'Install @modelcontextprotocol/sdk, then:',
          language: 'ts',
          code: typescriptCode(url, hasKey),
        },
      ],
    },
    {
      id: 'python',
      name: 'Python',
      snippets: [
        {
          lead: 'Install the package mcp, version 2, then:',
          language: 'python',
          code: pythonCode(url, hasKey),
        },
      ],
    },
    {
      id: 'openai',
      name: 'OpenAI',
      snippets: [
        {
          lead: 'The gateway lists its tools as OpenAI functions and accepts a model’s tool_calls unchanged:',
          language: 'ts',
          code: openaiCode(origin, hasKey),
        },
      ],
    },
  ]
}

/** Clients that run the sign-in of an authorization server themselves. */
export const SIGNS_IN = new Set([
  'claude-code',
  'claude-desktop',
  'vs-code',
  'cursor',
  'inspector',
  'ftl',
])

function config(key: string, server: object): string {
  const text = JSON.stringify({ [key]: { ftl: server } }, null, 2)
  // On one line where it is short, as people write it.
  const line = inline(server)
  return line.length <= 90 ? `{\n  "${key}": {\n    "ftl": ${line}\n  }\n}` : text
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, part]) => `${JSON.stringify(key)}: ${inline(part)}`,
  )
  return `{ ${members.join(', ')} }`
}
