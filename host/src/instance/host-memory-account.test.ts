import { assert, integer, property, array, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { Account } from './host-memory-account.ts'
import { HANDLE_BYTES, HandleTable } from './handles.ts'
import { PIECE_BYTES, Pipe } from '../http/pipe.ts'

test('a charge beyond the limit traps, names what it was for, and charges nothing', () => {
  const account = new Account(2048)
  account.charge(2000, 'headers')
  expect(() => account.charge(100, 'headers')).toThrow('hold more than 2 KiB for it: headers')
  expect(account.held).toBe(2000)
})

test('what was charged before a reset is not released after it', () => {
  const account = new Account()
  const pipe = new Pipe(account)
  pipe.write(new Uint8Array(100))
  account.reset()
  pipe.read(10)
  pipe.cancel()
  expect(account.held).toBe(0)
})

test('a pipe that changes hands is charged to its new holder alone', () => {
  const [writer, reader] = [new Account(), new Account()]
  const pipe = new Pipe(writer)
  pipe.write(new Uint8Array(100))
  pipe.chargeTo(reader)
  pipe.write(new Uint8Array(50))
  expect([writer.held, reader.held]).toEqual([0, 150 + 2 * PIECE_BYTES])
})

class Thing {
  bytes = 0
}

test('whatever a guest does, the account is what is held, and nothing is left after the end', () => {
  const step = tuple(integer({ min: 0, max: 5 }), integer({ min: 0, max: 3000 }))
  assert(
    property(array(step, { maxLength: 300 }), (steps) => {
      const account = new Account()
      const handles = new HandleTable(account)
      const things = new Map<number, Thing>()
      const pipe = new Pipe(account)
      let written: number[] = []
      for (const [kind, size] of steps) {
        const [handle, thing] = [...things][size % Math.max(things.size, 1)] ?? []
        if (kind === 0 || handle === undefined || thing === undefined) {
          const added = new Thing()
          things.set(handles.add(added), added)
        } else if (kind === 1) {
          handles.drop(handle, Thing)
          things.delete(handle)
        } else if (kind === 2) handles.resize(thing, size, 'things')
        else if (kind === 3 || kind === 4) {
          pipe.write(new Uint8Array(size).fill(written.length % 256))
          written.push(...new Array<number>(size).fill(written.length % 256))
        } else {
          const read = pipe.read(size) ?? new Uint8Array()
          expect([...read]).toEqual(written.slice(0, read.length))
          written = written.slice(read.length)
        }
      }
      const held = [...things.values()].reduce((sum, { bytes }) => sum + HANDLE_BYTES + bytes, 0)
      const pieces = (account.held - held - pipe.queued) / PIECE_BYTES
      expect(Number.isInteger(pieces) && pieces >= 0).toBe(true)
      handles.clear()
      pipe.cancel()
      expect(account.held).toBe(0)
    }),
    { numRuns: 100 },
  )
})
