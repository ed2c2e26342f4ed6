import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Ring } from './ring.ts'

const entry = (name: string, size = 1) => ({ name, size, seq: 0, place: -1, counted: 0 })
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

test('whatever is touched in whatever order, it has what a simple list would have', () => {
  const touches = fc.array(fc.record({ which: fc.nat(9), size: fc.nat(30) }), { maxLength: 300 })
  fc.assert(
    fc.property(touches, (changes) => {
      const dropped: string[] = []
      const limits = { entries: 4, bytes: 60 }
      const ring = new Ring<ReturnType<typeof entry>>(limits, ({ name }) => dropped.push(name))
      const all = Array.from({ length: 10 }, (_, index) => entry(String(index)))
      let list: ReturnType<typeof entry>[] = []
      const gone: string[] = []
      for (const { which, size } of changes) {
        const touched = all[which]
        if (!touched) return
        touched.size = size
        ring.touch(touched)
        // Sizes change with a touch only, so the list may add up what is there.
        list = [...list.filter((each) => each !== touched), touched]
        const bytes = () => list.reduce((sum, each) => sum + each.size, 0)
        while (list.length > 4 || bytes() > 60) gone.push(list.shift()?.name ?? '')
        expect(namesSince(ring)).toEqual(list.map(({ name }) => name))
        expect([ring.size, ring.bytes]).toEqual([list.length, bytes()])
        const half = ring.seq - 2
        expect(namesSince(ring, half)).toEqual(
          list.filter(({ seq }) => seq > half).map(({ name }) => name),
        )
      }
      expect(dropped).toEqual(gone)
    }),
  )
})
