import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findMistakes } from './find-mistakes.ts'

const folder = mkdtempSync(join(tmpdir(), 'ftl-mistakes-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Line, column and first words of each. */
async function mistakesOf(text: string, hasIntl = true): Promise<string[]> {
  const file = join(folder, 'main.ts')
  writeFileSync(file, text)
  const found = await findMistakes([file], hasIntl)
  return found.map((each) => /:(\d+:\d+: \S+ ?\S*)/.exec(each)?.[1] ?? each)
}

describe('the clock', () => {
  test.each([
    ['const a = Date.now()', '1:11: Date.now() at'],
    ['export const a: Date = new Date()', '1:24: new Date()'],
    ['if (a) {\n  b = { c: [new Date()] }\n}', '2:13: new Date()'],
    ['const a = (() => {\n  return Date.now()\n})()', '2:10: Date.now() at'],
    ['class A { static at = Date.now() }', '1:23: Date.now() at'],
  ])('is read at module scope: %j', async (text, expected) => {
    expect(await mistakesOf(text)).toEqual([expected])
  })

  test.each([
    'const f = () => Date.now()',
    'function f() { return new Date() }',
    'class A { at = new Date(); m() { return Date.now() } }',
    "const a = new Date('2026-01-01')",
    "const a = Date.parse('2026-01-01')",
    "const a = 'Date.now()' // new Date()",
  ])('is not: %j', async (text) => {
    expect(await mistakesOf(text)).toEqual([])
  })
})

describe('what a component lacks', () => {
  test('is named once a file, wherever it stands', async () => {
    const text =
      "const f = () => Buffer.from('a')\nconst g = () => Buffer.from('b') + process.env['A']"
    expect(await mistakesOf(text)).toEqual(['1:17: Buffer is', '2:36: process is'])
  })

  test.each([
    "import { Buffer } from 'buffer'\nconst a = () => Buffer.from('a')",
    "const a = typeof process === 'undefined' ? '' : process.env['A']",
    'const f = (process: { env: object }) => process.env',
    "const a = () => process.env.NODE_ENV === 'production'",
    'let a: Intl.NumberFormatOptions\nlet b: Buffer',
    'const a = { Buffer: 1 }\nconst b = a.Buffer',
  ])('is no mistake where it is there, asked for, or only a type: %j', async (text) => {
    expect(await mistakesOf(text)).toEqual([])
  })
})

describe('a locale', () => {
  test('that is not English gets English, with a warning', async () => {
    const text =
      "const f = () => (1).toLocaleString('de')\nconst g = () => 'a'.localeCompare('b', 'sk')\nconst h = () => new Intl.NumberFormat('fr-FR')"
    expect(await mistakesOf(text)).toEqual([
      '1:17: toLocaleString takes',
      '2:17: localeCompare takes',
      '3:17: NumberFormat takes',
    ])
  })

  test('that is English, or not known before the call, is no mistake', async () => {
    const text =
      "const f = (l) => (1).toLocaleString('en-GB') + 'a'.localeCompare('b', l) + new Intl.Collator('en').compare\nconst d = new Date(0).toLocaleDateString('sv-SE')"
    expect(await mistakesOf(text)).toEqual([])
  })

  test('is ignored, with a warning, where the component gets no Intl', async () => {
    const text =
      "const f = () => (1).toLocaleString('en')\nconst g = () => 'a'.localeCompare('b', 'sv')\nconst h = () => Intl.NumberFormat()"
    expect(await mistakesOf(text, false)).toEqual([
      '1:17: toLocaleString ignores',
      '2:17: localeCompare ignores',
      '3:17: Intl is',
    ])
  })

  test('that nobody names is none', async () => {
    expect(
      await mistakesOf("const f = () => (1).toLocaleString() + 'a'.localeCompare('b')", false),
    ).toEqual([])
  })
})

test('a file that does not parse is left to the bundler', async () => {
  expect(await mistakesOf('const a = Date.now( {')).toEqual([])
})
