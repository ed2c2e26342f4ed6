import { expect, it } from 'vitest'
import { cell, table } from './markdown.ts'

it('a cell begins in lower case, except with a name', () => {
  expect(cell('Serve what is built')).toBe('serve what is built')
  expect(cell('A gateway')).toBe('a gateway')
  expect(cell('URL of it')).toBe('URL of it')
  expect(cell('ComfyUI server')).toBe('ComfyUI server')
})

it('a cell links to pages and to their headings, by their titles', () => {
  expect(cell('lines (docs/audit.md)')).toBe('lines: see [Audit log](audit.md)')
  expect(cell('files (docs/spin-toml.md#runtime-configuration)')).toBe(
    'files: see [Runtime configuration](spin-toml.md#runtime-configuration)',
  )
  expect(() => cell('x (docs/audit.md#no-such-heading)')).toThrow('no heading #no-such-heading')
})

it('a cell does not end at a bar', () => {
  expect(cell('`a|b`')).toBe('`a\\|b`')
})

it('a column without any value is left out', () => {
  const rows = [
    ['x', '', '1'],
    ['y', '', ''],
  ]
  expect(table(['name', 'default', 'meaning'], rows)).toBe(
    '| name | meaning |\n| --- | --- |\n| x | 1 |\n| y |  |',
  )
})
