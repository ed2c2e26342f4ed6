/**
 * What can go wrong between a client and its servers. Each error has a `kind` to switch on, so that nobody has to read
 * its message. A tool that failed is none of these: it is a result with `isError`.
 *
 * @module
 */

/** Which error it is, for a `switch`. */
export type ErrorKind =
  | 'rpc'
  | 'process'
  | 'connection'
  | 'cancelled'
  | 'timeout'
  | 'violation'
  | 'state'
  | 'unknown-server'
  | 'denied'
  | 'config'

/** Everything a client throws; `kind` says which it is. */
export abstract class ClientError extends Error {
  abstract readonly kind: ErrorKind
}

/** The server answered with a JSON-RPC error. Source: JSON-RPC 2.0, section 5.1. */
export class RpcError extends ClientError {
  override readonly name = 'RpcError'
  readonly kind = 'rpc'
  /** -32602 for arguments and names, -32601 for a method, -32603 for the server's own trouble; others are its own. */
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The server's process could not be started, or ended. The message quotes what it wrote to stderr last. */
export class ProcessError extends ClientError {
  override readonly name = 'ProcessError'
  readonly kind = 'process'
  /** `null` when a signal ended it or it never ran. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null

  constructor(
    message: string,
    {
      exitCode = null,
      signal = null,
      cause,
    }: { exitCode?: number | null; signal?: NodeJS.Signals | null; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.exitCode = exitCode
    this.signal = signal
  }
}

/** A server behind a URL could not be reached, refused the request, or broke off its answer. */
export class ConnectionError extends ClientError {
  override readonly name = 'ConnectionError'
  readonly kind = 'connection'
  /** HTTP status, where there was an answer. */
  readonly status: number | undefined

  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

/** The caller's signal ended the wait; the server was told. `cause` is the signal's reason. */
export class CancelledError extends ClientError {
  override readonly name = 'CancelledError'
  readonly kind = 'cancelled'
}

/** No answer, and no word of progress, in time; the server was told that nobody waits any more. */
export class TimeoutError extends ClientError {
  override readonly name = 'TimeoutError'
  readonly kind = 'timeout'
}

/** The server answered, and the answer is not what the protocol or the tool's own schema promises. */
export class ViolationError extends ClientError {
  override readonly name = 'ViolationError'
  readonly kind = 'violation'
}

/** A method was called in a state that does not allow it; the message says which call comes first. */
export class StateError extends ClientError {
  override readonly name = 'StateError'
  readonly kind = 'state'
}

/** The manager has no server of that name. */
export class UnknownServerError extends ClientError {
  override readonly name = 'UnknownServerError'
  readonly kind = 'unknown-server'
}

/** The tool is on the server's deny list. */
export class DeniedToolError extends ClientError {
  override readonly name = 'DeniedToolError'
  readonly kind = 'denied'
}

/** A configuration that cannot be used; the message begins with the field. */
export class ConfigError extends ClientError {
  override readonly name = 'ConfigError'
  readonly kind = 'config'
  /** For example `mcpServers.files.args[1]`; empty for the document as a whole. */
  readonly field: string

  constructor(field: string, message: string) {
    super(field === '' ? message : `${field}: ${message}`)
    this.field = field
  }
}
