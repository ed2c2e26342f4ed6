import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import {
  AuthenticationError,
  CancelledError,
  ClientError,
  ConnectionError,
  TimeoutError,
  ViolationError,
} from './errors.ts'
import { remoteText } from './auth/remote-text.ts'
import { RequestFailure } from './transport/pending-requests.ts'
import { Expired } from './wait.ts'

export interface Circumstances {
  /** What was tried, for messages: `tools/call of "read_file"`. */
  what: string
  /** Name of the server. */
  name: string
  signal?: AbortSignal
  /** Why the connection ended, if it did. */
  gone?: ClientError
  /** The server's last message that fits no request; it may be the missing answer. */
  stray?: string
}

const VIOLATIONS: unknown[] = [
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.ClientHttpUnexpectedContent,
]

/** Maps an error of the official client or of a transport to the public error. */
export function explain(error: unknown, circumstances: Circumstances): ClientError {
  const { what, name, signal, gone, stray } = circumstances
  if (error instanceof ClientError) return error
  const refusal = refusalIn(error)
  if (refusal) return refusal
  if (error instanceof Expired) {
    return new TimeoutError(`server "${name}" did not end ${what} in time`)
  }
  if (signal?.aborted) {
    return new CancelledError(`${what} was cancelled`, { cause: signal.reason })
  }
  if (error instanceof ProtocolError) {
    return error.data instanceof RequestFailure
      ? error.data.error
      : new ViolationError(`server "${name}": ${error.message}`, { cause: error })
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    const hint = stray === undefined ? '' : `; it sent an unexpected message: ${stray}`
    return new TimeoutError(`server "${name}" did not answer ${what} in time${hint}`, {
      cause: error,
    })
  }
  if (gone) return gone
  if (error instanceof SdkHttpError) return refused(error, name)
  if (error instanceof SdkError && VIOLATIONS.includes(error.code)) {
    return new ViolationError(`server "${name}": ${sentenceOf(error.message)}`, { cause: error })
  }
  // An invalid answer causes a ZodError in the official client and a SyntaxError in JSON.parse.
  if (error instanceof Error && (error.name === 'ZodError' || error.name === '$ZodError')) {
    return new ViolationError(`server "${name}" sent something that is not a JSON-RPC message`, {
      cause: error,
    })
  }
  if (error instanceof SyntaxError) {
    return new ViolationError(
      `server "${name}" sent something that is not JSON: ${error.message}`,
      {
        cause: error,
      },
    )
  }
  return new ConnectionError(`server "${name}" cannot be reached: ${rootOf(error)}`, {
    cause: error,
  })
}

/** Of a sign-in: the official client wraps it when it happens during the negotiation. */
function refusalIn(error: unknown): ClientError | undefined {
  if (error instanceof AuthenticationError) return error
  return error instanceof Error ? refusalIn(error.cause) : undefined
}

/** Reduces the list of issues, which the official client appends as JSON of many lines, to the first one. */
function sentenceOf(message: string): string {
  const [, what, json = ''] =
    /^([^[]*?):\s*(?:\$?ZodError:\s*)?(\[\s*\{[^]*\])$/.exec(message) ?? []
  if (what === undefined) return message
  try {
    const [issue] = JSON.parse(json) as { path?: unknown[]; message?: string }[]
    const path = issue?.path?.map(String).join('.') || 'the result'
    return `${what}: ${path} is not valid (${issue?.message ?? 'no reason given'})`
  } catch {
    return `${what}: it does not have the form that the protocol requires`
  }
}

function refused(error: SdkHttpError, name: string): ConnectionError {
  const status = error.data.status
  // Too many requests: https://www.rfc-editor.org/rfc/rfc6585#section-4
  const remedy =
    status === 429 ? ': too many requests; wait a little, and try again' : reasonIn(error.data)
  return new ConnectionError(`server "${name}" answered with HTTP ${status}${remedy}`, {
    status,
    cause: error,
  })
}

/** Characters of a server's reason. */
const LONGEST_REASON = 500

/** What the server says of its refusal, where that is JSON with a message: it says what to change. */
function reasonIn({ text }: SdkHttpError['data']): string {
  try {
    const { error, message } = JSON.parse(String(text)) as { error?: unknown; message?: unknown }
    const said = isRecord(error) ? error['message'] : message
    return typeof said === 'string' && said !== ''
      ? `: ${remoteText(said.slice(0, LONGEST_REASON))}`
      : ''
  } catch {
    return ''
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The message `fetch failed` gives no reason; the reason is at the end of the chain of causes. */
function rootOf(error: unknown): string {
  let deepest = error
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause
  // Several addresses were tried; each has its own error.
  if (deepest instanceof AggregateError && deepest.errors[0] instanceof Error) {
    return deepest.errors[0].message
  }
  return deepest instanceof Error ? deepest.message : String(deepest)
}
