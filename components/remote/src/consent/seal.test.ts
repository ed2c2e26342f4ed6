import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openSealer } from './seal.ts'

const sealer = openSealer('a key of at least 32 characters..')

it('opens what it has sealed, for the same purpose only', async () => {
  const value = { token: 'secret', at: 5 }
  const text = await sealer.seal(['grant', 'tracker', 'ann'], value)
  expect(text).not.toContain('secret')
  expect(await sealer.open(['grant', 'tracker', 'ann'], text)).toEqual(value)
  for (const other of [['grant', 'tracker', 'bob'], ['grant', 'trackerann'], ['grant'], []]) {
    expect(await sealer.open(other, text)).toBeUndefined()
  }
  expect(
    await openSealer('another key of 32 characters....').open(['grant', 'tracker', 'ann'], text),
  ).toBeUndefined()
})

it('seals the same value in another way each time', async () => {
  expect(await sealer.seal(['a'], 1)).not.toBe(await sealer.seal(['a'], 1))
})

it('opens no text that strangers made or changed', async () => {
  const good = await sealer.seal(['a'], { user: 'ann' })
  const changed = fc
    .tuple(fc.nat(good.length - 1), fc.constantFrom(...'abcXYZ019-_'))
    .map(([at, letter]) => good.slice(0, at) + letter + good.slice(at + 1))
    // The last character has bits that do not count.
    .filter((text) => text.slice(0, -1) !== good.slice(0, -1))
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), changed), async (text) => {
      expect(await sealer.open(['a'], text)).toBeUndefined()
    }),
    { numRuns: 60 },
  )
})
