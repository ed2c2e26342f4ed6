import { expect, it } from 'vitest'
import { LineSplitter } from './message-reader.ts'

function linesOf(chunks: Buffer[], maxBytes = 1000): string[] {
  const lines: string[] = []
  const splitter = new LineSplitter(maxBytes)
  for (const chunk of chunks) splitter.push(chunk, (line) => lines.push(line))
  return lines
}

it('lines are the same wherever the bytes are cut', () => {
  const bytes = Buffer.from('{"a":"ä€😀"}\n\n{"b":2}\nhalf')
  const whole = ['{"a":"ä€😀"}', '', '{"b":2}']
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(linesOf([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole)
  }
  expect(linesOf([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole)
})

it('a line that is too long is refused before it ends', () => {
  expect(linesOf([Buffer.from('1234\n1234\n')], 4)).toEqual(['1234', '1234'])
  expect(() => linesOf([Buffer.from('123'), Buffer.from('45')], 4)).toThrow(RangeError)
})
