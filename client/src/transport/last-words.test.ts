import { expect, it } from 'vitest'
import { LastWords } from './last-words.ts'

it('keeps the last eight lines that say something', () => {
  const words = new LastWords()
  words.add(Buffer.from('0\n1\n2\n\n3\r\n4\n5\n'))
  words.add(Buffer.from('6\n7\n8'))
  expect(words.lines).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
})

it('keeps the end of a line that is longer than it keeps', () => {
  const words = new LastWords()
  for (let chunk = 0; chunk < 100; chunk++) words.add(Buffer.from('x'.repeat(1000)))
  words.add(Buffer.from('the end'))
  const [line] = words.lines
  expect(line).toHaveLength(8 * 1024)
  expect(line!.endsWith('xthe end')).toBe(true)
})

it('has nothing to say at first', () => {
  expect(new LastWords().lines).toEqual([])
})
