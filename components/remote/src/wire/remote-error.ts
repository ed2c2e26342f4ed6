/**
 * - `unreachable`: no connection, or it broke off
 * - `timeout`: no answer in time
 * - `refused`: a status that is no success, without words of JSON-RPC
 * - `rpc`: a JSON-RPC error
 * - `violation`: an answer that is none by the protocol
 */
export type RemoteErrorKind = 'unreachable' | 'timeout' | 'refused' | 'rpc' | 'violation'

/** What went wrong with one server. The message begins with `it` or a verb, and may be shown. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  readonly kind: RemoteErrorKind
  /** HTTP status, where it was no success. */
  readonly status: number | undefined
  /** Of the JSON-RPC error. */
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
