/** Searches the tools of a gateway, also those that it does not list because its list would be too long for a model. */
import type { CallOptions, ToolResult } from './tool-call.ts'
import { RpcError } from './errors.ts'
import { isObject } from './is-object.ts'

/** Options of a search. */
export interface SearchOptions extends CallOptions {
  /** `brief`: a sentence each; `detailed`: TypeScript declarations; `full`: JSON Schemas. @default 'brief' */
  detail?: 'brief' | 'detailed' | 'full'
  /** Only tools of this component. */
  component?: string
  /** From 1 to 50. @default 10 */
  limit?: number
}

/** What a search has found. */
export interface FoundTools {
  /** The best first; with the detail `full` also `inputSchema` and `outputSchema`. */
  tools: ({ name: string; component: string; description?: string } & Record<string, unknown>)[]
  /** How many tools match, of which `tools` are the first. */
  matches: number
  /** With the detail `detailed`. */
  declarations?: string
}

interface Calling {
  callTool(tool: string, args: Record<string, unknown>, options: CallOptions): Promise<ToolResult>
}

/**
 * Asks the server's `search_tools`.
 *
 * @param query what the tool should do, in a few words; empty for all tools.
 * @returns `undefined` if the server has no such tool, or one that answers otherwise.
 * @throws the errors of `Client.callTool`.
 */
export async function searchTools(
  client: Calling,
  query: string,
  { detail, component, limit, ...options }: SearchOptions = {},
): Promise<FoundTools | undefined> {
  const args = Object.entries({ query, detail, component, limit })
  const given = Object.fromEntries(args.filter(([, value]) => value !== undefined))
  try {
    const { structuredContent, isError } = await client.callTool('search_tools', given, options)
    return isError !== true && isFound(structuredContent) ? structuredContent : undefined
  } catch (error) {
    if (error instanceof RpcError) return undefined
    throw error
  }
}

function isFound(value: unknown): value is FoundTools {
  return (
    isObject(value) &&
    typeof value.matches === 'number' &&
    Array.isArray(value.tools) &&
    value.tools.every((tool) => isObject(tool) && typeof tool.name === 'string')
  )
}
