import { describe, expect, it } from 'vitest'
import { complaints } from './judge.ts'

const HEADERS = { 'content-type': 'application/json', accept: 'text/event-stream' }
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const NOTE = { jsonrpc: '2.0', method: 'notifications/initialized' }

const result = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} })
const failure = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32600, message: 'no' } })

interface Exchange {
  asked?: unknown
  status?: number
  answer?: unknown
  type?: string
  sent?: Record<string, string>
}

function judged({ asked = PING, status = 200, answer = '', type, sent }: Exchange): string[] {
  const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return complaints(
    { headers: { ...HEADERS, ...sent }, body: asText(asked) },
    {
      status,
      headers: new Headers({ 'content-type': type ?? 'application/json' }),
      text: asText(answer),
    },
  )
}

const EVENTS = 'text/event-stream'
const event = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`

describe('the judge of the fuzz tests accepts', () => {
  it.each<[string, Exchange]>([
    ['a result', { answer: result(1) }],
    ['an error', { answer: failure(1), status: 400 }],
    ['a text as id', { asked: { ...PING, id: 'a' }, answer: result('a') }],
    ['silence after a notification', { asked: NOTE, status: 202 }],
    ['a refused notification', { asked: NOTE, status: 400, answer: failure(null) }],
    ['silence after a response', { asked: result(1), status: 202 }],
    ['an array', { asked: [PING, NOTE, { ...PING, id: 2 }], answer: [result(2), failure(1)] }],
    ['an array with what is no message', { asked: [PING, 5], answer: [result(1), failure(null)] }],
    ['an event stream', { type: EVENTS, answer: event(NOTE) + event(result(1)) }],
    ['a refused parse', { asked: '{', status: 400, answer: failure(null) }],
    ['a refused type', { sent: { 'content-type': 'a/b' }, status: 415, answer: failure(null) }],
    [
      'a refused array of a revision without',
      { sent: { 'mcp-protocol-version': 'x' }, asked: [PING], status: 400, answer: failure(null) },
    ],
  ])('%s', (_what, exchange) => {
    expect(judged(exchange)).toEqual([])
  })
})

describe('the judge of the fuzz tests finds', () => {
  it.each<[string, Exchange]>([
    ['a failure of the gateway', { status: 500, answer: failure(1) }],
    ['silence after a request', { status: 202 }],
    ['an answer to a notification', { asked: NOTE, answer: result(null) }],
    ['a body after a notification', { asked: NOTE, status: 202, answer: failure(null) }],
    ['an answer to a response', { asked: result(1), answer: result(1) }],
    ['a lost id', { status: 400, answer: failure(null) }],
    ['another id', { answer: result(2) }],
    ['an id of another type', { answer: result('1') }],
    ['an id of an invalid message lost', { asked: { id: 7 }, status: 400, answer: failure(null) }],
    ['an id lost in an array', { asked: [PING, { ...PING, id: 2 }], answer: [result(1)] }],
    ['an id answered twice', { asked: [PING], answer: [result(1), result(1)] }],
    ['an array refused for one element', { asked: [PING, 5], status: 400, answer: failure(null) }],
    ['an array for one message', { answer: [result(1)] }],
    ['a type refused that is JSON', { status: 415, answer: failure(null) }],
    ['an origin refused that is ours', { status: 403, answer: failure(null) }],
    ['success for what is no message', { asked: '{', answer: result(null) }],
    ['no JSON', { answer: '<html>' }],
    ['another content type', { answer: result(1), type: 'text/html' }],
    ['no JSON-RPC', { answer: { id: 1, result: {} } }],
    ['neither result nor error', { answer: { jsonrpc: '2.0', id: 1 } }],
    ['both result and error', { answer: { ...result(1), ...failure(1) } }],
    ['a result that is no object', { answer: { ...result(1), result: 5 } }],
    ['an error without a code', { answer: { jsonrpc: '2.0', id: 1, error: { message: 'x' } } }],
    ['a stack', { answer: { ...failure(1), stack: 'Error\n    at main.ts:1:2' } }],
    ['a path', { answer: { ...result(1), result: { text: 'in /app/src/main.ts:12' } } }],
    [
      'an unasked event stream',
      { sent: { accept: '*/*' }, type: EVENTS, answer: event(result(1)) },
    ],
    ['a stream without an answer', { type: EVENTS, answer: event(NOTE) }],
    ['a stream that goes on after it', { type: EVENTS, answer: event(result(1)) + event(NOTE) }],
    ['two answers in a stream', { type: EVENTS, answer: event(result(1)) + event(result(1)) }],
  ])('%s', (_what, exchange) => {
    expect(judged(exchange)).not.toEqual([])
  })
})
