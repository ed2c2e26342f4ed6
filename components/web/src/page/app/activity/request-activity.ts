/** A request as `GET /activity` sends it, read with care: another version of the gateway may leave members out. */
import { asArray, asRecord, count, text } from '../net/api.ts'

export interface Span {
  id: string
  parent: string | undefined
  kind: string
  name: string
  /** Milliseconds since the request began. */
  start: number
  ms: number
  status: number | undefined
  error: string | undefined
}

export interface Line {
  /** Milliseconds since the request began. */
  at: number
  component: string
  stream: string
  line: string
}

export interface ToolCall {
  tool: string
  outcome: string
  reason: string | undefined
  arguments: unknown
}

export interface RequestActivity {
  id: string
  time: string
  method: string
  path: string
  rpc: string | undefined
  target: string | undefined
  components: readonly string[]
  outcome: string
  reason: string | undefined
  status: number
  ms: number
  principal: string | undefined
  client: string | undefined
  retries: number
  calls: readonly ToolCall[]
  isWatched: boolean
  spanCount: number
  lineCount: number
  dropped: number
  spans: readonly Span[]
  lines: readonly Line[]
}

export function toRequest(value: unknown): RequestActivity | undefined {
  const record = asRecord(value)
  const [id, time] = [text(record['id']), text(record['time'])]
  if (id === undefined || time === undefined) return undefined
  const counts = asRecord(record['counts'])
  const client = asRecord(record['client'])
  return {
    id,
    time,
    method: text(record['method']) ?? '',
    path: text(record['path']) ?? '',
    rpc: text(record['rpc']),
    target: text(record['target']),
    components: asArray(record['components']).flatMap((name) => text(name) ?? []),
    outcome: text(record['outcome']) ?? 'running',
    reason: text(record['reason']),
    status: count(record['status']) ?? 0,
    ms: count(record['ms']) ?? 0,
    principal: text(record['principal']),
    client: text(client['name']) ?? text(client['agent']),
    retries: count(record['retries']) ?? 0,
    calls: asArray(record['calls']).map(toCall),
    isWatched: record['watched'] === true,
    spanCount: count(counts['spans']) ?? 0,
    lineCount: count(counts['lines']) ?? 0,
    dropped: count(counts['dropped']) ?? 0,
    spans: asArray(record['spans']).map(toSpan),
    lines: asArray(record['lines']).map(toLine),
  }
}

function toCall(value: unknown): ToolCall {
  const record = asRecord(value)
  return {
    tool: text(record['tool']) ?? '',
    outcome: text(record['outcome']) ?? '',
    reason: text(record['reason']),
    arguments: record['arguments'],
  }
}

function toSpan(value: unknown): Span {
  const record = asRecord(value)
  return {
    id: text(record['id']) ?? '',
    parent: text(record['parent']),
    kind: text(record['kind']) ?? 'other',
    name: text(record['name']) ?? '',
    start: count(record['start']) ?? 0,
    ms: count(record['ms']) ?? 0,
    status: count(record['status']),
    error: text(record['error']),
  }
}

function toLine(value: unknown): Line {
  const record = asRecord(value)
  return {
    at: count(record['at']) ?? 0,
    component: text(record['component']) ?? '',
    stream: text(record['stream']) ?? 'stdout',
    line: text(record['line']) ?? '',
  }
}

/** `8.9 ms`, `1.24 s` */
export function duration(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`
  return `${ms >= 100 ? Math.round(ms) : Number(ms.toFixed(ms >= 1 ? 1 : 2))} ms`
}

const FINE = ['ok', 'job', 'input_required', 'running']

export const isFine = (outcome: string): boolean => FINE.includes(outcome)
