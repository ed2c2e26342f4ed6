/**
 * Several messages in one array: only revision 2025-03-26 has that, and its clients send no version header.
 *
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
 */
import { isObject } from 'ftl-contract'
import { json } from 'ftl-http'
import { callsHeader } from '../../calls/calls-header.ts'
import { BATCH_LIMIT } from '../../calls/request-limits.ts'
import { type Exchange, metaOf } from './exchange.ts'
import {
  error,
  INVALID_REQUEST,
  readMessage,
  refuse,
  type RpcAnswer,
  type RpcMessage,
  type RpcRequest,
  standardError,
} from './json-rpc.ts'
import { VERSION_KEY } from './modern/envelope.ts'
import { BATCH_VERSION } from '../../calls/mcp-versions.ts'

type Answer = (exchange: Exchange, request: RpcRequest) => Promise<RpcAnswer | undefined>

export async function serveBatch(
  exchange: Exchange,
  batch: unknown[],
  answer: Answer,
): Promise<Response> {
  const header = exchange.versionHeader
  if (header !== undefined && header !== BATCH_VERSION) {
    return refused(`revision ${header.slice(0, 64)} takes one message at a time`)
  }
  if (batch.length === 0) return refused('the array is empty')
  if (batch.length > BATCH_LIMIT) return refused(`more than ${BATCH_LIMIT} messages`)
  if (batch.some(isModern)) return refused('a modern message must come alone')
  const answers = await Promise.all(
    batch.map((value) => answerOne(exchange, readMessage(value), answer)),
  )
  const due = answers.filter((one) => one !== undefined)
  return due.length === 0
    ? new Response(null, { status: 202 })
    : json(200, due, callsHeader(batch.length))
}

function isModern(value: unknown): boolean {
  return (
    isObject(value) &&
    isObject(value.params) &&
    metaOf({ params: value.params })[VERSION_KEY] !== undefined
  )
}

async function answerOne(
  exchange: Exchange,
  message: RpcMessage,
  answer: Answer,
): Promise<RpcAnswer | undefined> {
  if (message.kind === 'invalid') {
    return error(message.id, standardError(message.code, { reason: message.reason }))
  }
  if (message.kind !== 'request') return undefined
  if (message.method === 'initialize') {
    const reason = 'initialize must come alone'
    return error(message.id, standardError(INVALID_REQUEST, { reason }))
  }
  return answer(exchange, message)
}

function refused(reason: string): Response {
  return refuse(400, null, standardError(INVALID_REQUEST, { reason }))
}
