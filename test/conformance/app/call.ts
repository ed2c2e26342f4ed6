/** One request of the gateway, read by hand: arguments, and what the client answered to questions. */
import {
  CALL_ENVELOPE_TYPE,
  CLIENT_CAPABILITIES_HEADER,
  LOG_LEVEL_HEADER,
  LOG_LEVELS,
  type LogLevel,
} from 'ftl-contract'

export interface Call {
  args: Record<string, unknown>
  /** By the keys of the questions; a client may send anything here. */
  answers: Record<string, unknown>
  /** The component's own string of the round before. */
  state: string | undefined
  /** What the client can be asked; empty when nothing is known. */
  capabilities: Record<string, unknown>
  /** Whether somebody listens to lines before the result. */
  listened: boolean
  /** Whether the client wants log messages of this level. */
  wantsLog(level: LogLevel): boolean
}

export async function readCall(request: Request): Promise<Call> {
  const body = request.method === 'POST' ? record(JSON.parse((await request.text()) || '{}')) : {}
  const enveloped = request.headers.get('content-type')?.startsWith(CALL_ENVELOPE_TYPE) ?? false
  const least = LOG_LEVELS.indexOf((request.headers.get(LOG_LEVEL_HEADER) ?? '') as LogLevel)
  return {
    args: enveloped ? record(body['arguments']) : body,
    answers: enveloped ? record(body['inputResponses']) : {},
    state: enveloped && typeof body['requestState'] === 'string' ? body['requestState'] : undefined,
    capabilities: record(JSON.parse(request.headers.get(CLIENT_CAPABILITIES_HEADER) ?? '{}')),
    listened: request.headers.get('accept')?.includes('application/x-ndjson') ?? false,
    wantsLog: (level) => least >= 0 && LOG_LEVELS.indexOf(level) >= least,
  }
}

/** `value` when it is a JSON object, else an empty one. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
