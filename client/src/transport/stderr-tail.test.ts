import { expect, it } from 'vitest'
import { StderrTail } from './process-transport.ts'

it('keeps the last eight lines that say something', () => {
  const tail = new StderrTail()
  tail.add(Buffer.from('0\n1\n2\n\n3\r\n4\n5\n'))
  tail.add(Buffer.from('6\n7\n8'))
  expect(tail.lines).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
})

it('keeps the end of a line that is longer than it keeps', () => {
  const tail = new StderrTail()
  for (let chunk = 0; chunk < 100; chunk++) tail.add(Buffer.from('x'.repeat(1000)))
  tail.add(Buffer.from('the end'))
  const [line] = tail.lines
  expect(line).toHaveLength(8 * 1024)
  expect(line!.endsWith('xthe end')).toBe(true)
})

it('has nothing to say at first', () => {
  expect(new StderrTail().lines).toEqual([])
})
