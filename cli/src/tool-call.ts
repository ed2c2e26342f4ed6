import type { RequestEntry } from 'ftl-host'

export interface ToolCall {
  component: string
  /** The tool's name in its component; the component's id when the call went to the path `/`. */
  tool: string
  /** Status of the component's response; 0 when it did not respond. */
  status: number
}

/** Paths of the component contract that are not tools. */
const OTHER_PATHS = /^\/(prompts\/.*|complete|jobs\/.*|outputs\/.*)$/

/** The tool that a request called, by the last tool call that the gateway sent to a component. */
export function toolCall({ calls = [] }: Pick<RequestEntry, 'calls'>): ToolCall | undefined {
  const call = calls.findLast(({ method, path }) => method === 'POST' && !OTHER_PATHS.test(path))
  if (!call) return undefined
  const { component, path, status } = call
  return { component, tool: decoded(path.slice(1)) || component, status }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
