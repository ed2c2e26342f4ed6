import { describe, expect, it } from 'vitest'
import { evaluate } from './expression.ts'

describe('evaluate', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['2 ^ -1', 0.5],
    ['2 * -3', -6],
    ['7 % 4', 3],
    ['.5 + 1e2', 100.5],
    ['sqrt(16) + max(1, 5, 3)', 9],
    ['round(pi * 100) / 100', 3.14],
  ])('reads %s as %d', (expression, value) => {
    expect(evaluate(expression)).toBe(value)
  })

  it.each([
    ['1 +', 'ends where a number is expected'],
    ['(1 + 2', 'ends where ")" is expected'],
    ['1 2', 'Unexpected "2" at column 3'],
    ['2 $ 3', 'Unexpected "$" at column 3'],
    ['1 / 0', 'Division by zero'],
    ['fetch(1)', 'Unknown name "fetch" at column 1'],
    ['sqrt(1, 2)', 'sqrt takes 1 value, not 2'],
    ['9 ^ 9 ^ 9', 'not a finite number'],
    ['('.repeat(500), 'levels of nesting'],
  ])('says what is wrong with %s', (expression, message) => {
    expect(() => evaluate(expression)).toThrow(message)
  })
})
