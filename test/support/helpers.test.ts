// Files share processes, and a module is loaded once for all of them: its hooks would be those of the first file alone.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const TESTS = join(import.meta.dirname, '..')
const HOOK = /^(?:beforeAll|beforeEach|afterAll|afterEach)\(/m

const modules = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !/node_modules|\.ftl|\.test\.ts$/.test(name),
)

test('no module that tests import has hooks of its own outside of a function', () => {
  expect(modules.length).toBeGreaterThan(100)
  expect(modules.filter((name) => HOOK.test(readFileSync(join(TESTS, name), 'utf8')))).toEqual([])
})
