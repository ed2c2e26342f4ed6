// A name that is left behind when a file moves would bring a long test back to `npm test`, or lose one.
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { MEASURING, OTHER_NIGHTLY } from './nightly.ts'

const cwd = fileURLToPath(new URL('../..', import.meta.url))

/** `a/{b,c}` names two files: each must be there. */
function namesOf(pattern: string): string[] {
  const [, before = '', names, after = ''] = /^(.*?)\{(.*?)\}(.*)$/.exec(pattern) ?? []
  if (names === undefined) return [pattern]
  return names.split(',').flatMap((name) => namesOf(`${before}${name}${after}`))
}

it.each([...MEASURING, ...OTHER_NIGHTLY].flatMap(namesOf))('%s names tests', (pattern) => {
  expect(globSync(pattern, { cwd }).length).toBeGreaterThan(0)
})
