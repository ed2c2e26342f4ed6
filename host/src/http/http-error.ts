/**
 * The errors of `wasi:http`.
 * @see https://github.com/WebAssembly/wasi-http/blob/v0.2.10/wit/types.wit
 */

/** The cases of `wasi:http/types.error-code` in their order: the index is the tag. */
export const HTTP_ERROR_CODES = [
  'DNS-timeout',
  'DNS-error',
  'destination-not-found',
  'destination-unavailable',
  'destination-IP-prohibited',
  'destination-IP-unroutable',
  'connection-refused',
  'connection-terminated',
  'connection-timeout',
  'connection-read-timeout',
  'connection-write-timeout',
  'connection-limit-reached',
  'TLS-protocol-error',
  'TLS-certificate-error',
  'TLS-alert-received',
  'HTTP-request-denied',
  'HTTP-request-length-required',
  'HTTP-request-body-size',
  'HTTP-request-method-invalid',
  'HTTP-request-URI-invalid',
  'HTTP-request-URI-too-long',
  'HTTP-request-header-section-size',
  'HTTP-request-header-size',
  'HTTP-request-trailer-section-size',
  'HTTP-request-trailer-size',
  'HTTP-response-incomplete',
  'HTTP-response-header-section-size',
  'HTTP-response-header-size',
  'HTTP-response-body-size',
  'HTTP-response-trailer-section-size',
  'HTTP-response-trailer-size',
  'HTTP-response-transfer-coding',
  'HTTP-response-content-coding',
  'HTTP-response-timeout',
  'HTTP-upgrade-failed',
  'HTTP-protocol-error',
  'loop-detected',
  'configuration-error',
  'internal-error',
] as const

export type HttpErrorCode = (typeof HTTP_ERROR_CODES)[number]

/** What the audit log says of a failure. */
export interface HttpErrorDetails {
  /** The component that caused it. @default the one that was asked */
  component?: string | undefined
  /** Whether any component may have begun with the request. @default true */
  begun?: boolean
}

/** A failed request or body. The guest sees `code`; `message` is for the host's log. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly code: HttpErrorCode
  readonly details: HttpErrorDetails

  constructor(code: HttpErrorCode, message: string = code, details: HttpErrorDetails = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}
