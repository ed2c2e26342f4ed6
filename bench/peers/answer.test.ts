import { expect, it } from 'vitest'
import { answerOf } from './answer.ts'

const ANSWER = '{"jsonrpc":"2.0","id":7,"result":{"tools":[]}}'
const STREAM = 'text/event-stream'

it('reads JSON', () => {
  expect(answerOf(ANSWER, 'application/json', 7).result).toEqual({ tools: [] })
})

it('reads the answer behind other messages of a stream', () => {
  const notification = '{"jsonrpc":"2.0","method":"notifications/message"}'
  const stream = `: hello\n\nevent: message\ndata: ${notification}\n\nid: 2\r\ndata: ${ANSWER}\r\n\r\n`
  expect(answerOf(stream, `${STREAM}; charset=utf-8`, 7).result).toEqual({ tools: [] })
})

it('joins the lines of one event', () => {
  const [head, tail] = [ANSWER.slice(0, 17), ANSWER.slice(17)]
  expect(answerOf(`data: ${head}\ndata: ${tail}\n\n`, STREAM, 7).id).toBe(7)
})

it('does not take the answer of another request', () => {
  expect(() => answerOf(`data: ${ANSWER}\n\n`, STREAM, 8)).toThrow('no answer')
})
