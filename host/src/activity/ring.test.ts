import { expect, test } from 'vitest'
import { Ring } from './ring.ts'

const entry = (name: string, size = 1) => ({ name, size, seq: 0 })
const namesSince = (ring: Ring<ReturnType<typeof entry>>, seq = 0) =>
  [...ring.since(seq)].map(({ name }) => name)

test('entries come in the order of their last change, and those before a number do not', () => {
  const ring = new Ring<ReturnType<typeof entry>>({ entries: 10, bytes: 100 })
  const [a, b] = [entry('a'), entry('b')]
  ring.touch(a)
  ring.touch(b)
  expect(namesSince(ring)).toEqual(['a', 'b'])
  const before = ring.seq
  ring.touch(a)
  expect(namesSince(ring)).toEqual(['b', 'a'])
  expect(namesSince(ring, before)).toEqual(['a'])
})

test('beyond a number of entries the ones that did not change for longest go', () => {
  const ring = new Ring<ReturnType<typeof entry>>({ entries: 2, bytes: 100 })
  const first = entry('first')
  for (const each of [first, entry('b')]) ring.touch(each)
  ring.touch(first)
  ring.touch(entry('c'))
  expect(namesSince(ring)).toEqual(['first', 'c'])
})

test('beyond a number of bytes, too, also if an entry grows', () => {
  const ring = new Ring<ReturnType<typeof entry>>({ entries: 100, bytes: 100 })
  const [a, b] = [entry('a', 40), entry('b', 40)]
  ring.touch(a)
  ring.touch(b)
  expect(ring.bytes).toBe(80)
  b.size = 90
  ring.touch(b)
  expect([namesSince(ring), ring.bytes]).toEqual([['b'], 90])
  ring.touch(entry('huge', 1000))
  expect([ring.size, ring.bytes]).toEqual([0, 0])
})
