import { describe, expect, test } from 'vitest'
import { describeEntry, isShownEntry, parseSince } from './show.ts'

const CALL = {
  audit: 1,
  time: '2026-11-24T10:00:00.000Z',
  event: 'call',
  principal: 'key:ci',
  client: { name: 'agent', agent: 'node' },
  component: 'echo',
  tool: 'echo',
  outcome: 'ok',
  ms: 12,
}

describe('a line of the log', () => {
  test('says when, who, what and how it ended', () => {
    expect(describeEntry(CALL)).toBe(
      '2026-11-24T10:00:00.000Z  key:ci  echo  ok  of echo  12 ms  by agent',
    )
  })

  test('cannot act on a terminal', () => {
    const text = describeEntry({ ...CALL, tool: 'x\u001b[2J\u202e\n', reason: '\u0007' })
    expect(text).toContain('x\\x1b[2J\\u202e\\x0a')
    expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/)
  })
})

test.each([
  [{ principal: 'key:ci' }, true],
  [{ principal: 'key' }, false],
  [{ tool: 'echo' }, true],
  [{ tool: 'ech' }, false],
  [{ denied: true }, false],
  [{ since: Date.parse('2026-11-24T10:00:00Z') }, true],
  [{ since: Date.parse('2026-11-24T10:00:01Z') }, false],
])('the filter %j keeps it: %s', (filter, isKept) => {
  expect(isShownEntry(CALL, filter)).toBe(isKept)
})

test.each(['denied', 'refused', 'unauthenticated'])('%s was not allowed', (outcome) => {
  expect(isShownEntry({ ...CALL, outcome }, { denied: true })).toBe(true)
})

test.each([
  ['90s', 10_000],
  ['1m', 40_000],
  ['1970-01-01', 0],
  ['1970-01-01T00:00:01Z', 1000],
  ['yesterday', undefined],
  ['5', undefined],
])('since %s', (text, time) => {
  expect(parseSince(text, 100_000)).toBe(time)
})
