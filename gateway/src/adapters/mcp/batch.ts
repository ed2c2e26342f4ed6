/**
 * Several messages in one array: only revision 2025-03-26 has that, and its clients send no version header.
 *
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
 * @module
 */
import { json } from '../../http.ts'
import { decideEra } from './era.ts'
import {
  error,
  INVALID_REQUEST,
  readMessage,
  refuse,
  type RpcAnswer,
  type RpcMessage,
  standardError,
} from './json-rpc.ts'
import type { EraHandler, Exchange } from './mcp-adapter.ts'
import { BATCH_VERSION } from './versions.ts'

/** Messages of one array: each may cost a component call, so one request must not ask for thousands. */
export const BATCH_LIMIT = 50

export async function serveBatch(
  exchange: Exchange,
  batch: unknown[],
  legacy: EraHandler,
): Promise<Response> {
  const header = exchange.versionHeader
  if (header !== undefined && header !== BATCH_VERSION) {
    return refused(`revision ${header} takes one message at a time`)
  }
  if (batch.length === 0) return refused('the array is empty')
  if (batch.length > BATCH_LIMIT) return refused(`more than ${BATCH_LIMIT} messages`)

  const messages = batch.map(readMessage)
  for (const message of messages) {
    if (message.kind !== 'request' && message.kind !== 'notification') continue
    const era = decideEra({ ...message, header })
    if (era.era !== 'legacy') return refused('a modern message must come alone')
  }
  const answers = await Promise.all(messages.map((message) => answerOne(exchange, message, legacy)))
  const due = answers.filter((answer) => answer !== undefined)
  return due.length === 0 ? new Response(null, { status: 202 }) : json(200, due)
}

async function answerOne(
  exchange: Exchange,
  message: RpcMessage,
  legacy: EraHandler,
): Promise<RpcAnswer | undefined> {
  if (message.kind === 'invalid') {
    return error(message.id, standardError(message.code, { reason: message.reason }))
  }
  if (message.kind !== 'request') return undefined
  if (message.method === 'initialize') {
    const reason = 'initialize must come alone'
    return error(message.id, standardError(INVALID_REQUEST, { reason }))
  }
  return legacy.answer(exchange, message)
}

function refused(reason: string): Response {
  return refuse(400, null, standardError(INVALID_REQUEST, { reason }))
}
