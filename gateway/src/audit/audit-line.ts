/** One line of the audit log. */
import { escaped, utf8 } from 'ftl-http'
import { shortText } from '../short-text.ts'
import type { Caller } from '../caller.ts'

/** How a call or a decision ended. */
export type AuditOutcome =
  | 'ok'
  /** The tool started a job, whose id is in `job`. */
  | 'job'
  /** The client is asked for input, and repeats the call. */
  | 'input_required'
  /** The tool answered with an error. */
  | 'tool_error'
  /** The tool or the gateway failed. */
  | 'failed'
  | 'timeout'
  /** The client left. */
  | 'cancelled'
  /** No tool ran, because the request is not valid. */
  | 'refused'
  /** The policy does not allow it. */
  | 'denied'
  | 'unauthenticated'
  | 'not_found'

export interface AuditEntry {
  event: 'call' | 'decision' | 'authentication' | 'job'
  time: string
  /** Id of the request, as in logs and responses. */
  request?: string
  /** Id of the trace. */
  trace?: string | undefined
  principal?: string | undefined
  /** The name that people know the user by. */
  name?: string | undefined
  client?: AuditClient | undefined
  /** Whether the request came from another component of the application. */
  internal?: true | undefined
  /** `mcp` or `http`; a job's end has none. */
  face?: string | undefined
  /** For a decision: `tools/call`, `resources/read`, `GET /jobs`. */
  action?: string | undefined
  component?: string | undefined
  tool?: string | undefined
  /** What a decision is about, such as a job. */
  target?: string | undefined
  arguments?: AuditArguments | undefined
  /** A call of a program: the run, and the number of the call in it. `request` is the client's, which began the run. */
  run?: { id: string; call: number } | undefined
  outcome: AuditOutcome
  /** For people. */
  reason?: string | undefined
  job?: string | undefined
  /** Status of the response. */
  status?: number | undefined
  ms?: number | undefined
  /** Number of the policy's rule. */
  rule?: number | undefined
}

export interface AuditArguments {
  /** Absent for arguments that are large and went to no component. */
  sha256?: string
  /** The digest is of the text that the component received. @default of canonical JSON */
  canonical?: false
  values?: unknown
}

export interface AuditClient {
  name?: string | undefined
  version?: string | undefined
  /** That the token was issued to. */
  id?: string | undefined
  agent?: string | undefined
}

/** Characters of a line: the host takes lines of 16 KiB whole. */
const MAX_LINE = 12_000

/** In the place of arguments of which nothing more can be said. */
export const TOO_LONG = '[too long]'

/**
 * What a terminal, an editor or a log viewer would act on, beyond what JSON escapes: control characters, separators of
 * lines, marks that change the direction of text.
 */
const UNSAFE = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** One line of ASCII-safe JSON that begins with `{"audit":1,`, whatever the entry contains. */
export function auditLine(entry: AuditEntry): string {
  return `{"audit":1,${membersOf(entry)}}`
}

/** The members of an entry as JSON, without the braces around them. */
export function membersOf(entry: Partial<AuditEntry>): string {
  const text = JSON.stringify(entry).slice(1, -1)
  const safe = isPlain(text) ? text : text.replace(UNSAFE, escaped)
  // Only now: an escape is six times as long as what it stands for.
  if (safe.length <= MAX_LINE || (entry.arguments?.values ?? TOO_LONG) === TOO_LONG) return safe
  return membersOf({ ...entry, arguments: { ...entry.arguments, values: TOO_LONG } })
}

/** Whether JSON is of ASCII alone. Most lines are, and both looks are native: {@link UNSAFE} takes four times as long. */
export const isPlain = (text: string) => utf8(text).length === text.length && !text.includes('\x7f')

export function clientOf(
  { headers }: Request,
  meta: Readonly<Record<string, unknown>>,
  caller: Caller | undefined,
): AuditClient | undefined {
  const info = meta['io.modelcontextprotocol/clientInfo']
  const { name, version } = (typeof info === 'object' && info !== null ? info : {}) as Record<
    string,
    unknown
  >
  const client: AuditClient = {
    name: shortText(name),
    version: shortText(version),
    id: caller?.client,
    agent: shortText(headers.get('user-agent')),
  }
  return (client.agent ?? client.id ?? client.name ?? client.version) === undefined
    ? undefined
    : client
}

/** Of W3C Trace Context. */
export function traceIdOf(traceparent: unknown): string | undefined {
  const [, id] = typeof traceparent === 'string' ? (TRACE.exec(traceparent) ?? []) : []
  return id
}

const TRACE = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/
