import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))
const document = resolve(here, '../../docs/host-fidelity.md')

/** The last cell of every row. */
const cells = readFileSync(document, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| behaviour'))
  .filter((line) => !line.startsWith('| ---'))
  .map((line) => ({ line, cell: line.split('|').at(-2)?.trim() ?? '' }))
const inTable = cells.flatMap(({ cell }) =>
  [...cell.matchAll(/`([a-z0-9-]+)`/g)].map(([, id]) => id),
)
const inTitles = globSync('*.test.ts', { cwd: here }).flatMap((file) =>
  [...readFileSync(join(here, file), 'utf8').matchAll(/['"`]\[spin:([a-z0-9-]+)\]/g)].map(
    ([, id]) => id,
  ),
)

test('every row of the document names a test, and every test has a row', () => {
  expect(cells.length).toBeGreaterThan(40)
  expect(cells.filter(({ cell }) => !/`[a-z0-9-]+`|\]\(/.test(cell))).toEqual([])
  expect([...new Set(inTable)].sort()).toEqual([...new Set(inTitles)].sort())
})

test('no behaviour is listed twice, and no test holds two', () => {
  const twice = (ids: readonly unknown[]) => ids.filter((id, index) => ids.indexOf(id) !== index)
  expect(twice(inTable)).toEqual([])
  expect(twice(inTitles)).toEqual([])
})

test('other tests the document names are there', () => {
  const named = cells.flatMap(({ cell }) =>
    [...cell.matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to),
  )
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((to) => !existsSync(resolve(dirname(document), to ?? '')))).toEqual([])
})
