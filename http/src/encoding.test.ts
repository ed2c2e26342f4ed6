import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { fromBase64, sha256, toBase64 } from './encoding.ts'

it.each([0, 1, 2, 3, 0x8000 - 1, 0x8000, 0x8000 + 1, 100_000])('%i bytes come back', (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 7) % 256)
  const text = toBase64(bytes)
  expect(text).toBe(Buffer.from(bytes).toString('base64'))
  expect(fromBase64(text)).toEqual(bytes)
})

it.each(['a', '====', 'a b!', 'ä', 'AAA=A'])('%j is not base64', (text) => {
  expect(fromBase64(text)).toBeUndefined()
})

// Keys in stores contain digests: another form would lose what is stored under them.
it('a digest is SHA-256 in lower-case hexadecimal', async () => {
  expect(await sha256('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  expect(await sha256('ä')).toBe(createHash('sha256').update('ä').digest('hex'))
})
