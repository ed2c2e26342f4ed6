import { expect, it } from 'vitest'
import { fromBase64, toBase64 } from './base64.ts'

it.each([0, 1, 2, 3, 0x8000 - 1, 0x8000, 0x8000 + 1, 100_000])('%i bytes come back', (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 7) % 256)
  const text = toBase64(bytes)
  expect(text).toBe(Buffer.from(bytes).toString('base64'))
  expect(fromBase64(text)).toEqual(bytes)
})

it.each(['a', '====', 'a b!', 'ä', 'AAA=A'])('%j is not base64', (text) => {
  expect(fromBase64(text)).toBeUndefined()
})
