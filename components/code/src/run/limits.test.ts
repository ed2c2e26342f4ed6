import { expect, it } from 'vitest'
import { parseLimits } from './limits.ts'

it('reads names and numbers; the others keep their defaults', () => {
  const defaults = parseLimits()
  expect(parseLimits(' wall_ms=5000 ; compute_ms = 100;')).toEqual({
    ...defaults,
    wall_ms: 5000,
    compute_ms: 100,
  })
})

it.each([
  ['calls=1', /^must be names and numbers such as wall_ms=5000, of /],
  ['__proto__=1', /^must be names/],
  ['wall_ms', /^has "wall_ms", which must be a number from 1 to /],
  ['wall_ms=1e3', /^has "wall_ms"/],
  ['wall_ms=-1', /^has "wall_ms"/],
  ['compute_ms=4001', /^has "compute_ms", which must be a number from 1 to 4000/],
  ['memory_mb=65', /^has "memory_mb", which must be a number from 4 to 64/],
])('refuses %s', (text, problem) => {
  expect(() => parseLimits(text)).toThrow(problem)
})
