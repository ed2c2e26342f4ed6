import { describe, expect, it } from 'vitest'
import { type AnswerError, checkedAnswer, MOST_BYTES, requestIdOf } from './answer-check.ts'

const JSON_TYPE = 'application/json'
const EVENTS = 'text/event-stream; charset=utf-8'

function answer(parts: Iterable<string>, type: string, asked: string | number | undefined = 1) {
  const encoder = new TextEncoder()
  const iterator = parts[Symbol.iterator]()
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = iterator.next()
      if (next.done === true) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
  })
  const cuts: AnswerError[] = []
  const response = new Response(body, { headers: { 'content-type': type, 'content-length': '5' } })
  return { checked: checkedAnswer(response, asked, (error) => cuts.push(error)), cuts }
}

const result = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result: { ok: true } })
const progress = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: {} })

describe('an answer', () => {
  it('with the id of its request passes unchanged, in JSON and in events', async () => {
    expect(await answer([result(1)], JSON_TYPE).checked.text()).toBe(result(1))
    const stream = `event: message\nid: 7\ndata: ${result(1)}\n\n`
    expect(await answer([stream], EVENTS).checked.text()).toBe(stream)
  })

  it.each([2, '1', null, undefined, {}])(
    'with the id %j ends the request with an error',
    async (id) => {
      const text = await answer([result(id)], JSON_TYPE).checked.text()
      expect(JSON.parse(text)).toMatchObject({
        id: 1,
        error: { message: 'The server answered with the id of another request.' },
      })
      const events = await answer([`data: ${result(id)}\n\n`], EVENTS).checked.text()
      expect(events).toContain('"id":1,"error"')
    },
  )

  it('that could not read the id keeps its own error', async () => {
    const error = { code: -32700, message: 'Parse error' }
    const sent = JSON.stringify({ jsonrpc: '2.0', id: null, error })
    const text = await answer([sent], JSON_TYPE).checked.text()
    expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: 1, error })
  })

  it('may come in any pieces, and requests and notifications in it pass', async () => {
    const asks = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'elicitation/create' })
    const stream = `data: ${progress}\n\ndata: ${asks}\r\n\r\n: alive\n\ndata: ${result(1)}\n\n`
    for (const size of [1, 2, 3, 7, 1000]) {
      const parts = stream.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      const { checked, cuts } = answer(parts, EVENTS)
      expect(await checked.text()).toBe(stream.replaceAll('\r', ''))
      expect(cuts).toEqual([])
    }
  })
})

describe('a server that sends without an end', () => {
  function* endless(part: string) {
    for (;;) yield part
  }

  it.each([
    [JSON_TYPE, 'x'.repeat(1_000_000), /more than 32 MB/],
    [EVENTS, 'x'.repeat(1_000_000), /more than 32 MB/],
    [EVENTS, `data: ${progress}\n\n`, /more than 2,000 messages/],
  ])('as %s is cut off, with the reason', async (type, part, reason) => {
    const { checked, cuts } = answer(endless(part), type)
    await expect(checked.text()).rejects.toThrow()
    expect(cuts.map(({ message }) => message)).toEqual([expect.stringMatching(reason)])
  })

  it('may send a message of the limit', async () => {
    const { checked, cuts } = answer(['x'.repeat(MOST_BYTES)], JSON_TYPE)
    expect((await checked.text()).length).toBe(MOST_BYTES)
    expect(cuts).toEqual([])
  })
})

it.each([
  ['{"id":1,"method":"tools/list"}', 1],
  ['{"id":"a","method":"tools/list"}', 'a'],
  ['{"method":"notifications/initialized"}', undefined],
  ['{"id":1,"result":{}}', undefined],
  ['not JSON', undefined],
  [undefined, undefined],
])('the request %s waits for %s', (body, id) => {
  expect(requestIdOf(body)).toBe(id)
})
