/** Formats requests, output and problems of a running host: as text for people, or as JSON lines for programs. */
import type { ErrorEntry, LogEntry, RequestEntry } from 'ftl-host'
import { paint } from '../terminal/ui.ts'
import { visible, visibleJson, visibleLines } from '../terminal/visible-text.ts'

export type LogFormat = 'plain' | 'json'

export interface LogLines {
  request: (entry: RequestEntry) => string
  /** A line that a component printed. */
  output: (entry: LogEntry) => string
  /** A failure that no client sees. */
  problem: (entry: ErrorEntry) => string
}

/** @param now for tests. */
export function logLines(format: LogFormat, now: () => Date = () => new Date()): LogLines {
  return format === 'json' ? jsonLines(now) : plainLines(now)
}

function jsonLines(now: () => Date): LogLines {
  const write = (type: string, fields: object) =>
    visibleJson(JSON.stringify({ time: now().toISOString(), type, ...fields }))
  return {
    request: ({ milliseconds, calls, ...entry }) =>
      write('request', {
        ...entry,
        tool: toolCall({ calls })?.tool,
        milliseconds: Math.round(milliseconds * 10) / 10,
      }),
    output: ({ component, stream, line }) => write('output', { component, stream, line }),
    problem: ({ component, message }) => write('problem', { component, message }),
  }
}

function plainLines(now: () => Date): LogLines {
  return {
    request: (entry) => plainRequest(entry, now()),
    output: ({ component, line }) => `${paint('dim', `[${component}]`)} ${visibleLines(line)}`,
    problem: ({ component, message }) =>
      `${paint('red', `[${component}]`)} ${visibleLines(message)}`,
  }
}

function plainRequest(
  {
    method,
    path,
    components,
    status,
    milliseconds,
    bytes,
    outcome,
    reason,
    requestId,
    calls,
  }: RequestEntry,
  time: Date,
): string {
  const call = toolCall({ calls })
  const parts = [
    paint('dim', clock(time)),
    visible(method),
    visible(path),
    ...(call ? [paint(['bold', 'cyan'], visible(call.tool))] : []),
    paint(colourOf(status), status === 0 ? '---' : String(status)),
    `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`,
    size(bytes),
  ]
  // MCP clients get a failed tool as a normal response, so the status of the request does not show the failure.
  if (call && call.status >= 400) parts.push(paint('red', `the tool answered ${call.status}`))
  if (components.length > 0) parts.push(paint('dim', visible(chainText(components))))
  if (outcome === 'left') parts.push(paint('yellow', 'the client left'))
  if (outcome === 'cut') parts.push(paint('red', 'cut off'))
  if (reason !== undefined) parts.push(paint('red', `(${visible(reason)})`))
  if (requestId !== undefined) parts.push(paint('dim', `id=${visible(requestId)}`))
  return parts.join(' ')
}

/** Consecutive calls to the same component are one entry: `gateway → echo ×3`. */
function chainText(components: readonly string[]): string {
  const groups: { id: string; count: number }[] = []
  for (const id of components) {
    const last = groups.at(-1)
    if (last?.id === id) last.count++
    else groups.push({ id, count: 1 })
  }
  return groups.map(({ id, count }) => (count === 1 ? id : `${id} ×${count}`)).join(' → ')
}

export function colourOf(status: number): 'green' | 'yellow' | 'red' {
  if (status === 0 || status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}

export function clock(time: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const seconds = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`
  return `${seconds}.${String(time.getMilliseconds()).padStart(3, '0')}`
}

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

interface ToolCall {
  component: string
  /** The tool's name in its component; the component's id when the call went to the path `/`. */
  tool: string
  /** Status of the component's response; 0 when it did not respond. */
  status: number
}

/** Paths of the component contract that are not tools. */
const OTHER_PATHS = /^\/(prompts\/.*|complete|jobs\/.*|outputs\/.*)$/

/** The tool that a request called, by the last tool call that the gateway sent to a component. */
function toolCall({ calls = [] }: Pick<RequestEntry, 'calls'>): ToolCall | undefined {
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
