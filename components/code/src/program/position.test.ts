import { expect, it } from 'vitest'
import { codeFrame } from './position.ts'

it('shows two lines before and after, and marks the place', () => {
  expect(codeFrame('a\nb\nc\n\td e\nf\ng\nh', { line: 4, column: 4 })).toBe(
    '  2 | b\n  3 | c\n> 4 |  d e\n    |    ^\n  5 | f\n  6 | g',
  )
})

it('cuts a long line around the place', () => {
  const frame = codeFrame(`${'x'.repeat(5000)}!${'y'.repeat(5000)}`, { line: 1, column: 5001 })
  const [shown = '', mark = ''] = frame.split('\n')
  expect(shown.length).toBeLessThan(120)
  expect(shown[mark.indexOf('^')]).toBe('!')
})

it('shows nothing for a line that there is not', () => {
  expect(codeFrame('a', { line: 99, column: 1 })).toBe('')
})
