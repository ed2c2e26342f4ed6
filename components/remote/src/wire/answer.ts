/** Interprets the answer of a server. */
import { isObject } from 'ftl-contract'
import type { Deadline } from 'ftl-http'
import { redact } from '../redact.ts'
import { readAll } from './messages.ts'
import { RemoteError } from './remote-error.ts'

/** Bytes of an error response; a longer body is not used. */
const REFUSAL_LIMIT = 64 * 1024
const SHOWN_CHARACTERS = 500
/** Addresses such as `/sse` take no POST. */
const OLD_TRANSPORT =
  ': its url must be one of Streamable HTTP; the transport HTTP+SSE is not supported'

/** `undefined` for a message that is not an answer. @throws {RemoteError} for an error and for an invalid answer. */
export function resultOf(message: unknown, wanted: number): Record<string, unknown> | undefined {
  if (!isObject(message) || message['jsonrpc'] !== '2.0') {
    throw new RemoteError('violation', 'answered something that is not a JSON-RPC message')
  }
  if ('method' in message) return undefined
  const { id, result, error } = message
  // Some servers write every id as text.
  const isWanted = id === wanted || id === String(wanted)
  if (isObject(error) && (isWanted || id === null || id === undefined)) throw rpcError(error)
  if (!isWanted) throw new RemoteError('violation', 'answered with the id of another request')
  if (!isObject(result)) throw new RemoteError('violation', 'answered without a result')
  return result
}

/** The error for a response whose status is not 200. */
export async function refusal(
  response: Response,
  deadline: Deadline,
  secrets: readonly string[],
): Promise<RemoteError> {
  const { status } = response
  const plain = new RemoteError(
    status >= 500 ? 'unreachable' : 'refused',
    status === 401 || status === 403
      ? `refused access (status ${status})`
      : `answered with status ${status}${status === 405 ? OLD_TRANSPORT : ''}`,
    { status },
  )
  try {
    const text = redact(await readAll(response, deadline, REFUSAL_LIMIT), secrets)
    const { error } = JSON.parse(text) as { error?: unknown }
    return isObject(error) && status < 500 ? rpcError(error, status) : plain
  } catch {
    return plain
  }
}

/** It asks the user or the model of the client, which clients of older revisions cannot be. */
const MISSING_CAPABILITY = -32021
const CAPABLE_CLIENT =
  ' (do not try again: it needs a client of 2026-07-28 that has this capability)'

function rpcError({ code, message }: Record<string, unknown>, status?: number): RemoteError {
  const text =
    typeof message === 'string'
      ? message.slice(0, SHOWN_CHARACTERS).toWellFormed()
      : 'no reason given'
  const advice = code === MISSING_CAPABILITY ? CAPABLE_CLIENT : ''
  return new RemoteError('rpc', `answered with an error: ${text}${advice}`, {
    ...(typeof code === 'number' && { code }),
    ...(status !== undefined && { status }),
  })
}
