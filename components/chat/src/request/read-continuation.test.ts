import { describe, expect, it } from 'vitest'
import { readContinuation } from './read-continuation.ts'

const call = (id: string) => ({ id, name: 'delete', arguments: '{}' })
const DONE = { content: 'First.', calls: [call('a')], results: [{ id: 'a', content: 'ok' }] }
const OPEN = { content: '', calls: [call('b'), call('c')], results: [{ id: 'b', content: 'ok' }] }
const given = (steps: unknown, decisions: unknown = { c: null }) =>
  readContinuation({ continuation: { steps, artifacts: 2 }, decisions })

it('keeps the turns, and the decisions on the calls that have waited', () => {
  const { steps, decisions, artifacts } = given([DONE, OPEN], { c: 'token', b: 'not asked', x: 1 })
  expect(steps.map(({ content, calls }) => [content, calls.length])).toEqual([
    ['First.', 1],
    ['', 2],
  ])
  expect([...decisions]).toEqual([['c', 'token']])
  expect(artifacts).toBe(2)
})

describe('is refused with the name of the field', () => {
  it.each([
    ['no object', 'x', /continuation must/],
    ['nothing that waits', [DONE], /steps must end/],
    ['an earlier turn without a result', [OPEN, OPEN], /steps must end/],
    ['a call without a name', [{ ...OPEN, calls: [{ id: 'c' }] }], /steps\[0\]\.calls/],
    ['two calls with one id', [{ ...OPEN, calls: [call('c'), call('c')] }], /steps\[0\]\.calls/],
    ['results that are none', [{ ...OPEN, results: [1] }], /steps\[0\]\.results/],
    ['too many turns', [...Array<unknown>(100).fill(DONE), OPEN], /100 steps/],
    ['too much', [{ ...OPEN, content: 'x'.repeat(2_000_001) }], /2000000 characters/],
  ])('%s', (_, steps, message) => {
    expect(() => given(steps)).toThrow(message)
  })

  it.each([[{}], [{ c: true }], [null], [{ __proto__: { c: 'token' } }]])(
    'decisions %j',
    (decisions) => {
      expect(() => given([OPEN], decisions)).toThrow(/decisions(\.c)? must be/)
    },
  )
})
