import { BodyTooLarge, DeadlineExceeded } from 'ftl-http'

/**
 * - `unreachable`: no connection, a broken connection, or a status of 500 or more
 * - `timeout`: no answer in time
 * - `refused`: another status that is not 200, without a JSON-RPC error
 * - `rpc`: a JSON-RPC error
 * - `violation`: an answer that violates the protocol
 */
export type RemoteErrorKind = 'unreachable' | 'timeout' | 'refused' | 'rpc' | 'violation'

/** A failure of one server. The message begins with `it` or a verb and is safe to show to clients. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  readonly kind: RemoteErrorKind
  /** HTTP status, if it is not 200. */
  readonly status: number | undefined
  /** Code of the JSON-RPC error. */
  readonly code: number | undefined

  constructor(
    kind: RemoteErrorKind,
    message: string,
    { status, code }: { status?: number; code?: number } = {},
  ) {
    super(message)
    this.kind = kind
    this.status = status
    this.code = code
  }
}

/** @param otherwise what the server did if it is not its limit of time or size that was exceeded. */
export function toRemoteError(error: unknown, otherwise: string): RemoteError {
  if (error instanceof RemoteError) return error
  if (error instanceof DeadlineExceeded)
    return new RemoteError('timeout', `gave no answer within ${error.afterMs} ms`)
  return error instanceof BodyTooLarge
    ? new RemoteError('violation', `answered ${error.message}`)
    : new RemoteError('unreachable', otherwise)
}
