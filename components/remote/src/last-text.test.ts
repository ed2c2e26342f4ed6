import { expect, test, vi } from 'vitest'
import { readOnce } from './last-text.ts'

test('the last text is read once, and another one again', () => {
  const read = vi.fn((text: string) => ({ text }))
  const once = readOnce(read)
  expect(once('a')).toBe(once('a'))
  expect(read).toHaveBeenCalledTimes(1)
  expect(once('b')).toEqual({ text: 'b' })
  expect(once('a')).toEqual({ text: 'a' })
  expect(read).toHaveBeenCalledTimes(3)
})

test('a text that cannot be read is read again', () => {
  const once = readOnce((text) => JSON.parse(text) as unknown)
  expect(() => once('{')).toThrow(SyntaxError)
  expect(() => once('{')).toThrow(SyntaxError)
  expect(once('1')).toBe(1)
})
