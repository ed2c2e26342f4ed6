// printed-commands.test.ts types every printed line, or printed/not-typed.ts says why it does not.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REPOSITORY } from '../support/command.ts'
import { NOT_TYPED, reasonFor } from './printed/not-typed.ts'
import { allBlocks, at, type Block } from './blocks/blocks.ts'
import { servedFolders } from './printed/other-applications.ts'
import { OTHER_BLOCKS } from './printed/other-blocks.ts'
import { GUIDES, PAGES, printedLines, VISITS } from './printed/visits.ts'

/** Read by `code-blocks.test.ts`, which compiles, parses or compares them. */
const READ = ['js', 'json', 'jsonc', 'toml', 'ts', 'yaml']

const blocks = (await allBlocks()).filter(({ page }) => PAGES.includes(page))

it('the pages are those that are visited', () => {
  expect(new Set([...GUIDES, ...VISITS.map(({ page }) => page)])).toEqual(new Set(PAGES))
})

const isOther = ({ page, language, marks }: Block) =>
  !GUIDES.includes(page) &&
  !['sh', 'console', ...READ].includes(language) &&
  !marks.some((mark) => mark.startsWith('from:'))

it('each block is typed, read, or listed with what it is', () => {
  const listed = ({ page, code }: Block) =>
    OTHER_BLOCKS.some((other) => other.page === page && code.startsWith(other.begins))
  expect(blocks.filter((block) => isOther(block) && !listed(block)).map(at)).toEqual([])
})

it('an application of another folder is built before a line serves it', () => {
  const folders = servedFolders()
  expect(folders.map(({ file }) => file)).toEqual(
    expect.arrayContaining(['CONTRIBUTING.md', 'docs/host-fidelity.md', 'bench/options.ts']),
  )
  expect(folders.filter(({ build }) => build === undefined)).toEqual([])
})

it.each(OTHER_BLOCKS)('$page still has "$begins"', ({ page, begins, why }) => {
  const found = blocks.filter((block) => block.page === page && block.code.startsWith(begins))
  expect(found.filter(isOther)).toHaveLength(1)
  expect(why).not.toBe('')
})

it.each(PAGES)('%s: each line is typed at a visit, or listed with a reason', async (page) => {
  const typed = new Set(GUIDES.includes(page) ? await printedLines(page) : [])
  for (const visit of VISITS.filter((each) => each.page === page)) {
    const here = await printedLines(page, false)
    const elsewhere = visit.elsewhere === undefined ? [] : await printedLines(page, true)
    for (const line of [...here, ...elsewhere]) {
      if (reasonFor(visit, line) === undefined) typed.add(line)
    }
  }
  const listed = NOT_TYPED.filter((each) => each.page === page).map(({ line }) => line)
  const missing = (await printedLines(page)).filter(
    (line) => !typed.has(line) && !listed.includes(line),
  )
  expect(missing).toEqual([])
})

it.each(NOT_TYPED)('$page still prints "$line"', async ({ page, line, why }) => {
  expect(await printedLines(page)).toContain(line)
  expect(why).not.toBe('')
})

it.each(VISITS.filter(({ first }) => first !== undefined))(
  '$page says to type "$first" first',
  async ({ page, first }) => {
    expect(await readFile(join(REPOSITORY, page), 'utf8')).toContain(`\`${first}\``)
  },
)
