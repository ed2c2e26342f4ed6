/**
 * What `GET /activity` sends. docs/http-api.md describes it; a client ignores members it does not know, so new ones can
 * be added.
 */

export const ACTIVITY_VERSION = 1

/** How a request ended; the words of the audit log. */
export type ActivityOutcome =
  | 'running'
  | 'ok'
  | 'job'
  | 'input_required'
  | 'tool_error'
  | 'failed'
  | 'timeout'
  | 'cancelled'
  | 'refused'
  | 'denied'
  | 'unauthenticated'
  | 'not_found'

/** A span: something a component did for a request. Times are milliseconds. */
export interface ActivitySpan {
  id: string
  /** Id of the span it belongs to. @default the request itself */
  parent?: string
  /** `component`: it ran. `call`: it called another component. */
  kind: 'component' | 'call' | 'kv' | 'variable' | 'network' | 'other'
  /** Name of a component, verb and store, name of a variable, method and address. */
  name: string
  /** Since the request began. */
  start: number
  ms: number
  /** Status of the answer to a call or a network request. */
  status?: number
  /** Present if it failed; may be empty. */
  error?: string
}

/** A line that was printed for a request. */
export interface ActivityLine {
  /** Milliseconds since the request began. */
  at: number
  component: string
  /** `host`: what the host reports about the component. */
  stream: 'stdout' | 'stderr' | 'host'
  line: string
}

/** A tool call inside a request, as the gateway reports it when it ends. */
export interface ActivityCall {
  tool: string | undefined
  component: string | undefined
  outcome: ActivityOutcome
  reason: string | undefined
  ms: number | undefined
  job: string | undefined
  /** Only under `ftl dev`; without what the schema, or its name, calls a secret. */
  arguments?: unknown
}

export interface ActivityClient {
  name?: string | undefined
  version?: string | undefined
  agent?: string | undefined
}

/** A request from outside. Sent again whenever it changes. */
export interface ActivityRequest {
  /** The `x-request-id` of its response. A client may send its own, so two requests can have the same. */
  id: string
  time: string
  method: string
  /** Without the query. */
  path: string
  /** The MCP method, such as `tools/call`. @default not MCP, or not known */
  rpc?: string
  /** The tool, prompt or resource that the request names. */
  target?: string
  /** Components that worked for it, in the order in which they were called. */
  components: readonly string[]
  outcome: ActivityOutcome
  /** For people: why it did not succeed. */
  reason?: string
  /** HTTP status; 0 before the answer. */
  status: number
  /** Milliseconds until its end, or until now. */
  ms: number
  bytes: number
  principal?: string
  client?: ActivityClient
  /** How often a worker was lost, and the request began again. */
  retries: number
  calls: readonly ActivityCall[]
  /** `false`: it was not watched when it began, so it has no spans and lines. */
  watched: boolean
  counts: { spans: number; lines: number; kv: number; network: number; dropped: number }
  /** Only in details. */
  spans?: readonly ActivitySpan[]
  /** Only in details. */
  lines?: readonly ActivityLine[]
}

/** Of a component, since the host began. */
export interface ActivityComponent {
  id: string
  /** `failing`: its last call failed. `unused`: it was not called yet. */
  state: 'unused' | 'ready' | 'failing'
  calls: number
  errors: number
  /** Milliseconds until its answer began, of the last 256 calls. @default no call */
  p50?: number
  p95?: number
  lastFailure?: { time: string; request: string; reason: string }
  /** Instances that exist now. */
  instances: number
  /** Bytes of their memory. */
  memory: number
}

/** A message of the host that belongs to no request. */
export interface ActivityNotice {
  time: string
  component: string
  message: string
}
