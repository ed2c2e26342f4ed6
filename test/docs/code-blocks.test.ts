// Every code block of README, CONTRIBUTING and the guides is what it says it is: blocks/blocks.ts has the marks.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createProgram } from '../../cli/src/main.ts'
import { REPOSITORY } from '../support/command.ts'
import { allBlocks, type Block, pages } from './blocks/blocks.ts'
import { ELSEWHERE, unknownProblems } from './blocks/coverage.ts'
import { jsonProblems, tomlProblems, yamlProblems } from './blocks/data.ts'
import { proseProblems } from './blocks/prose.ts'
import { isQuoted, quotedProblems } from './blocks/quoted.ts'
import { shellProblems } from './blocks/shell.ts'
import { isTypeScript, typeProblems } from './blocks/typescript.ts'

const blocks = await allBlocks()
const program = await createProgram()

type Problems = (blocks: Block[]) => string[] | Promise<string[]>

const is =
  (...languages: string[]) =>
  (block: Block) =>
    languages.includes(block.language) && !isQuoted(block)

it('every block says what it is', () => {
  expect(blocks.flatMap(unknownProblems)).toEqual([])
})

for (const page of await pages()) {
  const check = (what: string, wanted: (block: Block) => boolean, problems: Problems) => {
    const found = blocks.filter((block) => block.page === page && wanted(block))
    if (found.length === 0) return
    it(`${page}: ${what}`, async () => expect(await problems(found)).toEqual([]))
  }
  check('its TypeScript compiles', isTypeScript, typeProblems)
  check('its commands exist, with their options', is('sh'), (found) =>
    shellProblems(found, program),
  )
  check('its JSON can be read', is('json', 'jsonc'), (found) => found.flatMap(jsonProblems))
  check('its YAML can be read', is('yaml'), (found) => found.flatMap(yamlProblems))
  check('its TOML is taken by the host', is('toml'), (found) => found.flatMap(tomlProblems))
  check('what it quotes stands in that file', isQuoted, async (found) =>
    (await Promise.all(found.map(quotedProblems))).flat(),
  )
}

it.each([...(await pages()), 'LIMITS.md', 'ARCHITECTURE.md'])(
  '%s: the commands and flags in its sentences exist',
  async (page) => {
    const text = await readFile(join(REPOSITORY, page), 'utf8')
    expect(proseProblems(text, page, program)).toEqual([])
  },
)

it.each(Object.entries(ELSEWHERE))(
  'what of %s runs elsewhere is read there',
  async (page, { by }) => {
    const text = await readFile(join(REPOSITORY, by), 'utf8')
    expect(text).toContain(page)
  },
)
