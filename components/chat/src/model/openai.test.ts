import { describe, expect, it } from 'vitest'
import { openai } from './openai.ts'

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}`
const piece = (call: object) => chunk({ tool_calls: [call] })

function turnOf(...lines: string[]) {
  const reader = openai.reader()
  const events = lines.flatMap((line) => reader.line(line))
  return { ...reader.turn(), events, done: reader.done }
}

describe('a streamed answer', () => {
  it('puts calls together by their places, however their pieces come', () => {
    const { calls, done } = turnOf(
      piece({ index: 0, id: 'a', type: 'function', function: { name: 'one', arguments: '' } }),
      piece({ index: 1, id: 'b', type: 'function', function: { name: 'two', arguments: '{' } }),
      piece({ index: 0, function: { arguments: '{"x"' } }),
      piece({ index: 1, function: { arguments: '}' } }),
      piece({ index: 0, function: { arguments: ':1}' } }),
      chunk({}, 'tool_calls'),
    )
    expect(calls).toEqual([
      { id: 'a', name: 'one', arguments: '{"x":1}' },
      { id: 'b', name: 'two', arguments: '{}' },
    ])
    expect(done).toBe(true)
  })

  it('is unreadable where the server answers with a page', () => {
    expect(() => turnOf('', '<!doctype html><title>Log in</title>')).toThrow(
      /not in the format of llm_api .*Log in.* look at llm_url and llm_path/,
    )
  })

  it('tells calls apart that all have the place 0', () => {
    const whole = (id: string) =>
      piece({ index: 0, id, function: { name: id, arguments: `{"id":"${id}"}` } })
    const { calls } = turnOf(whole('a'), whole('b'))
    expect(calls.map((call) => call.arguments)).toEqual(['{"id":"a"}', '{"id":"b"}'])
  })

  it('takes arguments that are missing or an object for what they mean', () => {
    const { calls } = turnOf(
      piece({ index: 0, function: { name: 'none' } }),
      piece({ index: 1, function: { name: 'object', arguments: { x: 1 } } }),
    )
    expect(calls).toEqual([
      { id: 'call_1', name: 'none', arguments: '{}' },
      { id: 'call_2', name: 'object', arguments: '{"x":1}' },
    ])
  })

  it('passes over comments, other fields and empty pieces', () => {
    const { content, events, done } = turnOf(
      ': keep-alive',
      'event: message',
      '',
      chunk({ role: 'assistant', content: '' }),
      'data: {"choices":[],"usage":{"total_tokens":1}}',
      chunk({ content: 'Hi' }),
      chunk({}, ''),
    )
    expect(content).toBe('Hi')
    expect(events).toEqual([{ type: 'content', content: 'Hi' }])
    expect(done).toBe(false)
  })

  it('that ends in an error is one, without what looks like a key', () => {
    const error = { message: 'Incorrect API key provided: sk-abc123def456ghi' }
    expect(() => turnOf(`data: ${JSON.stringify({ error })}`)).toThrow(/provided: …/)
  })

  it('that is no JSON says what to set', () => {
    expect(() => turnOf('data: {half')).toThrow(/llm_api/)
  })
})
