import type { RequestEntry } from 'ftl-host'

export interface ToolCall {
  component: string
  /** As the component names it; the component's own name where it has one tool, and that no path of its own. */
  tool: string
  /** Of the component's answer; 0 when there was none. */
  status: number
}

/** Paths of the component contract that are no tools. */
const OTHER_PATHS = /^\/(prompts\/.*|complete|jobs\/.*|outputs\/.*)$/

/** The tool a request was about, by what the gateway asked its component. */
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
