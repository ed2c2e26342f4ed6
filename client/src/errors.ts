/**
 * Errors between a client and its servers. Each has a `kind`, so that code can switch on it instead of the message. A
 * tool that fails does not throw one of these: its result has `isError`.
 */

/** The kinds of error, for a `switch`. */
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
  | 'authentication'

/** Base class of every error that a client throws; see `kind`. */
export abstract class ClientError extends Error {
  abstract readonly kind: ErrorKind
}

/** The server answered with a JSON-RPC error. Source: JSON-RPC 2.0, section 5.1. */
export class RpcError extends ClientError {
  override readonly name = 'RpcError'
  readonly kind = 'rpc'
  /** -32602: invalid arguments or names, -32601: unknown method, -32603: internal error; servers define others. */
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The server's process did not start, ended, or closed its streams. The message quotes its last lines on stderr. */
export class ProcessError extends ClientError {
  override readonly name = 'ProcessError'
  readonly kind = 'process'
  /** `null` when a signal ended it, it never ran, or it only closed its streams. */
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

/** The server could not be reached, refused the request, or broke off its answer. */
export class ConnectionError extends ClientError {
  override readonly name = 'ConnectionError'
  readonly kind = 'connection'
  /** HTTP status, if there was a response. */
  readonly status: number | undefined

  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

/**
 * The caller's signal ended the wait (`cause` is its reason), or the task was cancelled elsewhere. A call or job
 * is also cancelled on the server.
 */
export class CancelledError extends ClientError {
  override readonly name = 'CancelledError'
  readonly kind = 'cancelled'
}

/** The answer or the end of a job did not arrive in time. A call or job is also cancelled on the server. */
export class TimeoutError extends ClientError {
  override readonly name = 'TimeoutError'
  readonly kind = 'timeout'
}

/** The server's answer violates the protocol or the tool's own schema. */
export class ViolationError extends ClientError {
  override readonly name = 'ViolationError'
  readonly kind = 'violation'
}

/** A method was called in a state that does not allow it; the message names the state. */
export class StateError extends ClientError {
  override readonly name = 'StateError'
  readonly kind = 'state'
}

/** The manager has no connected server of that name. */
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
  /** Path of the field, for example `mcpServers.files.args[1]`; empty for the whole document. */
  readonly field: string

  constructor(field: string, message: string) {
    super(field === '' ? message : `${field}: ${message}`)
    this.field = field
  }
}

/** What a server demanded in its `WWW-Authenticate` header (RFC 6750, RFC 9728). */
export interface Challenge {
  /** Address of the resource's metadata. */
  resourceMetadata?: string
  /** Scopes that the request needs, separated by spaces. */
  scope?: string
  error?: string
  /** Why, in the server's words (`error_description`), safe to print. */
  description?: string
}

/** The server requires sign-in, or signing in failed. No message contains a token, a code or a secret. */
export class AuthenticationError extends ClientError {
  override readonly name = 'AuthenticationError'
  readonly kind = 'authentication'
  /** Set when the user can solve it by signing in; pass it to `signIn` of `ftl-client/auth`. */
  readonly signIn: { server: string; challenge: Challenge } | undefined

  constructor(
    message: string,
    { signIn, cause }: { signIn?: { server: string; challenge: Challenge }; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.signIn = signIn
  }
}
