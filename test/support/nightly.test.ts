// A name that is left behind when a file moves would bring a long test back to `npm test`, or lose one.
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { MEASURING, OTHER_NIGHTLY } from './nightly.ts'

const cwd = fileURLToPath(new URL('../..', import.meta.url))

it.each([...MEASURING, ...OTHER_NIGHTLY])('%s names tests', (pattern) => {
  expect(globSync(pattern, { cwd }).length).toBeGreaterThan(0)
})
