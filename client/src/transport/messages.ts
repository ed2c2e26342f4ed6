/** What a line must be for the official client to take it, and what can be read of a line it would not take. */
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client'

/** Whether it is a request, a notification, or an answer with a result or an error. Source: JSON-RPC 2.0. */
export function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return false
  if (typeof value['method'] === 'string') return true
  if (!('id' in value)) return false
  const { result, error } = value
  if (isObject(result)) return error === undefined
  return isObject(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string'
}

/** The id a broken line seems to carry. */
export function idOf(line: string): RequestId | undefined {
  const [, number, text] = /"id"\s*:\s*(?:(\d+)|"([^"\\]*)")/.exec(line) ?? []
  return number === undefined ? text : Number(number)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
