import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))
const rows = readFileSync(resolve(here, '../../docs/author-errors.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (---|mistake)/.test(line))
  .map((line) => {
    const [, , said = '', when = '', id = ''] = line.split('|').map((cell) => cell.trim())
    return { said, when, id: id.slice(1, -1) }
  })

/** The text of the tests from one mistake's name to the next. */
const tests = globSync('*.test.ts', { cwd: here })
  .flatMap((file) =>
    readFileSync(join(here, file), 'utf8')
      .split(/['"`]\[author:(?=[a-z-]+\])/)
      .slice(1),
  )
  .map((text) => ({ id: text.slice(0, text.indexOf(']')), text: text.replaceAll('\\', '') }))

test('every row has a test, every test a row, and none stands twice', () => {
  expect(rows.length).toBeGreaterThanOrEqual(20)
  expect(rows.map(({ id }) => id).sort()).toEqual(tests.map(({ id }) => id).sort())
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
})

test('a row says when, and quotes what its test holds', () => {
  for (const { said, when, id } of rows) {
    expect(['type check', 'build', 'start', 'call'], id).toContain(when)
    const { text = '' } = tests.find((each) => each.id === id) ?? {}
    const quoted = [...said.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words)
    for (const words of quoted.filter((each) => !KNOWN_NAMES.test(each))) {
      expect(text, `${id}: ${words}`).toContain(words)
    }
  }
})

/** Our own names in a row; they are not part of the message. */
const KNOWN_NAMES = /^(spin\.toml|\.env|ToolResponse|npx ftl doctor|GET \/health\/components)$/
