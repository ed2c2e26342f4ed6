/**
 * Reads and writes JSON-RPC 2.0 messages.
 *
 * @see https://www.jsonrpc.org/specification
 */
import { isObject, isString } from 'ftl-contract'
import { json } from 'ftl-http'

/** Invalid JSON. */
export const PARSE_ERROR = -32700
/** Not a JSON-RPC request. */
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603

/** The message that goes with a standard code. */
const MESSAGES: Readonly<Record<number, string>> = {
  [PARSE_ERROR]: 'Parse error',
  [INVALID_REQUEST]: 'Invalid request',
  [METHOD_NOT_FOUND]: 'Method not found',
  [INVALID_PARAMS]: 'Invalid params',
  [INTERNAL_ERROR]: 'Internal error',
}

export type RequestId = string | number

export interface RpcRequest {
  kind: 'request'
  id: RequestId
  method: string
  params: Record<string, unknown>
}

export interface RpcNotification {
  kind: 'notification'
  method: string
  params: Record<string, unknown>
}

export type RpcMessage = RpcRequest | RpcNotification | { kind: 'response' } | RpcInvalid

/** Not a message. `id` is the message's own where it could be read. */
export interface RpcInvalid {
  kind: 'invalid'
  id: RequestId | null
  code: number
  reason: string
}

export interface RpcError {
  code: number
  message: string
  data?: unknown
}

/** What answers a request; the order of the keys is the reference's. */
export type RpcAnswer =
  | { jsonrpc: '2.0'; result: unknown; id: RequestId }
  | { jsonrpc: '2.0'; error: RpcError; id: RequestId | null }
  | { jsonrpc: '2.0'; method: string; params: unknown; id: RequestId }

/** A request that comes to an error; caught where the answer is made. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure'
  readonly error: RpcError
  /** HTTP status, where the answer is not part of a stream or a batch. */
  readonly status: number
  constructor(error: RpcError, status = 200) {
    super(error.message)
    this.error = error
    this.status = status
  }
}

export function invalidParams(reason: string, data?: object): RpcFailure {
  return new RpcFailure(standardError(INVALID_PARAMS, { ...data, reason }))
}

export function result(id: RequestId, value: unknown): RpcAnswer {
  return { jsonrpc: '2.0', result: value, id }
}

export function error(id: RequestId | null, { code, message, data }: RpcError): RpcAnswer {
  return { jsonrpc: '2.0', error: { code, message, data }, id }
}

/** An error with the standard message of its code. */
export function standardError(code: number, data?: unknown): RpcError {
  return { code, message: MESSAGES[code] ?? 'Error', data }
}

/** Characters of a reason that go into the message. */
const REASON_LENGTH = 500

/**
 * The same error with its reason, or its method, in the message: the official clients in TypeScript, Python, Go and Rust show
 * nothing else to their users.
 */
export function explained({ code, message, data }: RpcError): RpcError {
  const { reason, method } = isObject(data) ? data : {}
  const why = isString(reason) ? reason : code === METHOD_NOT_FOUND ? method : undefined
  if (!isString(why) || message !== MESSAGES[code]) return { code, message, data }
  return { code, message: `${message}: ${why.slice(0, REASON_LENGTH).toWellFormed()}`, data }
}

/** A refusal of the whole HTTP request. */
export function refuse(status: number, id: RequestId | null, reason: RpcError): Response {
  return json(status, error(id, reason))
}

export function readMessage(value: unknown): RpcMessage {
  if (!isObject(value)) return invalid(null, 'a message must be an object')
  const { id, method } = value
  const readable = isString(id) || isExact(id) ? id : null
  if (value.jsonrpc !== '2.0') return invalid(readable, 'jsonrpc must be "2.0"')
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'response' }
  if (!isString(method)) return invalid(readable, 'method must be a string')
  const params = value.params ?? {}
  if (!isObject(params)) {
    return { ...invalid(readable, 'params must be an object'), code: INVALID_PARAMS }
  }
  if (id === undefined) return { kind: 'notification', method, params }
  if (readable === null) return invalid(null, 'id must be a string or a number')
  return { kind: 'request', id: readable, method, params }
}

// Any other number would come back as its neighbour.
function isExact(id: unknown): id is number {
  return Number.isFinite(id) && Math.abs(id as number) <= Number.MAX_SAFE_INTEGER
}

function invalid(id: RequestId | null, reason: string): RpcInvalid {
  return { kind: 'invalid', id, code: INVALID_REQUEST, reason }
}
