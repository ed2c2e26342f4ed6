/**
 * Errors of revision 2026-07-28.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/index#error-codes
 */
import { RpcFailure } from '../json-rpc.ts'

/** Headers and body of a request do not agree. */
const HEADER_MISMATCH = -32020
/** The call needs a capability that the client did not declare. */
const MISSING_CAPABILITY = -32021
/** The revision is not served. */
const UNSUPPORTED_VERSION = -32022

const BAD_REQUEST = 400

export function headerMismatch(reason: string): RpcFailure {
  return new RpcFailure(
    { code: HEADER_MISMATCH, message: 'Header mismatch', data: { reason } },
    BAD_REQUEST,
  )
}

export function unsupportedVersion(requested: string, supported: readonly string[]): RpcFailure {
  const data = { supported, requested }
  return new RpcFailure(
    { code: UNSUPPORTED_VERSION, message: 'Unsupported protocol version', data },
    BAD_REQUEST,
  )
}

/** The specification requires an error, and many clients show a model its message only: so it says what follows. */
export function missingCapability(requiredCapabilities: object): RpcFailure {
  const names = Object.keys(requiredCapabilities).join(', ')
  const asks = 'elicitation' in requiredCapabilities ? ' The tool asks the user a question.' : ''
  const message = `Missing required client capability: ${names}.${asks} This client cannot do that: do not try again.`
  return new RpcFailure(
    { code: MISSING_CAPABILITY, message, data: { requiredCapabilities } },
    BAD_REQUEST,
  )
}

export function isMissingCapability(error: unknown): error is RpcFailure {
  return error instanceof RpcFailure && error.error.code === MISSING_CAPABILITY
}
