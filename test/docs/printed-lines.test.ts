// printed-commands.test.ts types every printed line, or printed/not-typed.ts says why it does not.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REPOSITORY } from '../support/command.ts'
import { NOT_TYPED, reasonFor } from './printed/not-typed.ts'
import { GUIDES, printedLines, VISITS } from './printed/visits.ts'

const PAGES = new Set([...GUIDES, ...VISITS.map(({ page }) => page)])

it.each([...PAGES])('%s: each line is typed at a visit, or listed with a reason', async (page) => {
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
