// Held to the class of Node, which is the specification's.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NativeHeaders } from './headers.ts'

const names = fc.constantFrom('a', 'B', 'b', 'X-Request-Id', 'set-cookie', 'bad name', '', 'ü')
const values = fc.constantFrom('1', ' 2 ', '', 'a\nb', '\u00e9', '\u20ac', '\t3', 'a, b')

type Both = Headers | NativeHeaders

const steps = fc.oneof(
  fc.tuple(names, values).map(
    ([name, value]) =>
      (headers: Both) =>
        headers.append(name, value),
  ),
  fc.tuple(names, values).map(
    ([name, value]) =>
      (headers: Both) =>
        headers.set(name, value),
  ),
  names.map((name) => (headers: Both) => headers.delete(name)),
  names.map((name) => (headers: Both) => headers.get(name)),
  names.map((name) => (headers: Both) => headers.has(name)),
)

function outcome(work: () => unknown): unknown {
  try {
    return { returned: work() }
  } catch (error) {
    return error instanceof Error && error.constructor.name
  }
}

test('what is added, replaced and removed is read as in Node', () =>
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 12 }), (list) => {
      const ours = new NativeHeaders()
      const theirs = new Headers()
      for (const step of list) {
        expect(outcome(() => step(ours))).toEqual(outcome(() => step(theirs)))
        expect([...ours]).toEqual([...theirs])
      }
      expect([...ours.keys()]).toEqual([...theirs.keys()])
      expect(ours.getSetCookie()).toEqual(theirs.getSetCookie())
    }),
  ))

test.each([
  [
    'pairs',
    [
      ['A', '1'],
      ['a', '2'],
    ],
  ],
  ['a record', { A: '1', b: '2' }],
  ['nothing', undefined],
] as const)('are made of %s', (_, source) =>
  expect([...new NativeHeaders(source as Record<string, string>)]).toEqual([
    ...new Headers(source as Record<string, string>),
  ]),
)

test('a copy is one of its own', () => {
  const first = new NativeHeaders({ a: '1' })
  const second = new NativeHeaders(first)
  second.set('a', '2')
  expect(first.get('a')).toBe('1')
})
