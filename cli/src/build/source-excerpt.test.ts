import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { excerpt } from './source-excerpt.ts'

test('the line is shown with a caret under the place', () => {
  const place = { file: 'a.ts', line: 12, column: 7, length: 3, lineText: 'const one = 1' }
  expect(excerpt(place, 'no')).toBe(
    ['a.ts:12:7: no', '   12 | const one = 1', '      |       ^^^'].join('\n'),
  )
})

test('a tab before the place stays a tab, so that both lines move alike', () => {
  const [, , caret] = excerpt(
    { file: 'a.ts', line: 1, column: 3, lineText: '\t\tx()' },
    'no',
  ).split('\n')
  expect(caret).toBe('      | \t\t^')
})

test('of a line without end the part around the place is shown', () => {
  const lineText = `${'a'.repeat(5000)}HERE${'b'.repeat(5000)}`
  const [, shown = '', caret = ''] = excerpt(
    { file: 'a.js', line: 1, column: 5001, length: 4, lineText },
    'no',
  ).split('\n')
  expect(shown.length).toBeLessThan(120)
  expect(shown.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1)).toBe('HERE')
})

test('the line is read from the file; where there is none the place alone is named', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'ftl-excerpt-')), 'a.ts')
  writeFileSync(file, 'one\r\ntwo\r\n')
  expect(excerpt({ file, line: 2, column: 1 }, 'no')).toContain('\n    2 | two\n')
  expect(excerpt({ file, line: 9, column: 1 }, 'no')).toBe(`${file}:9:1: no`)
  expect(excerpt({ file: 'nope.ts', line: 1, column: 1 }, 'no')).toBe('nope.ts:1:1: no')
})
