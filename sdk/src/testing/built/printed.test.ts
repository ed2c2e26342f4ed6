import { describe, expect, it } from 'vitest'
import type { Heard } from '../console.ts'
import { errorIn, Printed } from './printed.ts'

function printed(...lines: [stream: 'stdout' | 'stderr', text: string][]): Heard[] {
  const heard: Heard[] = []
  const to = new Printed(heard)
  for (const [stream, text] of lines) to.add(stream, text)
  return heard
}

describe('what a built component prints', () => {
  it('is an entry a line, with the level of its stream', () => {
    expect(printed(['stdout', 'a'], ['stderr', 'b'], ['stdout', 'a'])).toEqual([
      { level: 'log', text: 'a' },
      { level: 'error', text: 'b' },
      { level: 'log', text: 'a' },
    ])
  })

  it('keeps the frames of a stack with the error before them', () => {
    const heard = printed(
      ['stderr', 'tool a failed: RangeError: too far: 2'],
      ['stderr', '    at main.ts:1:2'],
      ['stdout', '    at home'],
    )
    expect(heard).toHaveLength(2)
    const error = errorIn(heard)
    expect(error).toMatchObject({ name: 'RangeError', message: 'too far: 2' })
    expect(error?.stack).toContain('main.ts:1:2')
  })

  it('has no error where none was printed', () => {
    expect(errorIn(printed(['stderr', 'careful'], ['stdout', 'Error: only said']))).toBeUndefined()
  })
})
