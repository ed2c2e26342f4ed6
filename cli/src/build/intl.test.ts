import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { intlModules, intlParts } from './intl.ts'

it.each([
  ['export const a = 1', []],
  ['export const f = (n) => n.toLocaleString()', ['date', 'number']],
  ['export const f = (d) => d?.toLocaleTimeString("en-GB")', ['date']],
  ['export const f = (a, b) => a.localeCompare(b)', ['collator']],
  ['export const f = () => new Intl.PluralRules("en")', ['number']],
  ['const { ListFormat } = Intl; export { ListFormat }', ['list']],
  ['export const zone = () => globalThis.Intl.DateTimeFormat().resolvedOptions()', ['date']],
])('%s gets the parts that it names: %j', async (code, parts) => {
  expect(await intlParts(code)).toEqual(parts)
})

it.each([
  'export const page = "<script>new Intl.NumberFormat(); n.toLocaleString()</script>"',
  'export const help = `Use Intl.DateTimeFormat`',
  '// Intl.Collator and a.localeCompare(b)\nexport {}',
  'export const locales = { DateTimeFormat: 1 }',
])('what is only text gets none: %s', async (code) => {
  expect(await intlParts(code)).toEqual([])
})

it('a name that the code puts together gets all parts, and so does who asks for all', async () => {
  const all = await intlParts('', true)
  expect(all).toHaveLength(8)
  expect(await intlParts('export const f = (kind) => new Intl[kind + "Format"]()')).toEqual(all)
})

it('each part is a module that is there', async () => {
  const modules = intlModules(await intlParts('', true))
  expect(modules.filter((path) => !existsSync(path))).toEqual([])
})

it('the key of the manifest leaves it out', async () => {
  const code = 'export const f = (n) => n.toLocaleString()'
  expect(await intlParts(code, false)).toEqual([])
  expect(await intlParts(code)).not.toEqual([])
})
