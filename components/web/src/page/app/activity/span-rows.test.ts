import { expect, test } from 'vitest'
import type { Span } from './request-activity.ts'
import { spanRows } from './span-rows.ts'

const span = (id: string, parent?: string, start = 0): Span => ({
  ...{ id, parent, start, kind: 'kv', name: id, ms: 1, status: undefined, error: undefined },
})
const shape = (spans: Span[], isShown: (span: Span) => boolean = () => true) =>
  spanRows(spans, isShown).map(({ span: { id }, depth }) => `${'-'.repeat(depth)}${id}`)

test('each is below the one that it belongs to, in the order in which they began', () => {
  const spans = [span('c', 'a', 9), span('b', 'a', 2), span('a', undefined, 1), span('d', 'b', 3)]
  expect(shape(spans)).toEqual(['a', '-b', '--d', '-c'])
})

test('what is left out leaves its children', () => {
  const spans = [span('a'), span('b', 'a'), span('c', 'b')]
  expect(shape(spans, ({ id }) => id !== 'b')).toEqual(['a', '-c'])
})

test('a span whose parent is not there is a root, and a circle ends', () => {
  expect(shape([span('a', 'gone')])).toEqual(['a'])
  expect(shape([span('a', 'a')])).toEqual(['a'])
  expect(shape([span('a', 'b'), span('b', 'a')])).toEqual([])
})
