import { expect, it } from 'vitest'
import { markdown, type Result } from './table.ts'

const LOAD = { perSecond: 1234.4, p50: 1.234, p99: 56.78, cpu: 0.5, backendCpu: 0, failed: 0 }

const RESULT: Result = {
  name: 'a',
  version: '1.2.3',
  about: 'one | worker',
  more: 'has accounts',
  startMs: 1500.4,
  memory: { first: 2 ** 20 * 90, after: Number.NaN },
  loads: [
    { ...LOAD, connections: 1 },
    { ...LOAD, connections: 16 },
  ],
}

const rows = (text: string) => text.split('\n')

it('puts versions, times and memory in rows', () => {
  const text = rows(markdown([RESULT], []))
  expect(text).toContain('| a | 1.2.3 | one \\| worker | has accounts |')
  expect(text).toContain('| a | 1500 ms | 90 MiB | unknown |')
  expect(text).toContain('| 16 | a | 1234 | 1.23 ms | 56.8 ms | 0.50 ms |  | 0 |')
})

it('puts all peers of a number of connections together', () => {
  const text = rows(markdown([RESULT, { ...RESULT, name: 'b' }], []))
  const order = text.flatMap((row) => /^\| (\d+) \| (\w)/.exec(row)?.slice(1, 3).join('') ?? [])
  expect(order).toEqual(['1a', '1b', '16a', '16b'])
})

it('says where a hung backend took all answers', () => {
  const hung = { call: { before: 5 }, list: { before: 6, first: 3000, hanging: 7 }, tools: 9 }
  const text = rows(markdown([{ ...RESULT, hung }], []))
  expect(text).toContain('| a | 5.00 ms | none in 20 s | 6.00 ms | 3000 ms | 7.00 ms | 9 |')
})

it('says what was not measured and why, also when nothing was', () => {
  expect(markdown([], [{ name: 'c', reason: 'it is elsewhere' }])).toBe(
    'Not measured:\n\n- c: it is elsewhere\n',
  )
})
