// A test that a page prints passes as it is printed, beside the tool that the page prints.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { REPOSITORY } from '../support/command.ts'

let folder: string
beforeAll(() => {
  mkdirSync(join(REPOSITORY, 'dist'), { recursive: true })
  // Inside the repository, where its packages are found.
  folder = mkdtempSync(join(REPOSITORY, 'dist', 'printed-'))
  writeFileSync(join(folder, 'vitest.config.ts'), 'export default {}\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The code of a block that names its file. */
function printed(page: string, file: string): string {
  const text = readFileSync(join(REPOSITORY, 'docs', page), 'utf8')
  const [, code] = text.split(`\n\`\`\`ts ${file}\n`)
  expect(code, `${page} prints no ${file}`).toBeDefined()
  return code?.split('\n```')[0] ?? ''
}

it.each([
  ['testing.md', 'boil.ts', 'boil.test.ts', 2],
  ['elicitation.md', 'docs/delete-city.ts', 'docs/delete-city.test.ts', 1],
])('%s: %s with %s', (page, tool, test, count) => {
  for (const file of [tool, test]) {
    writeFileSync(join(folder, basename(file)), `${printed(page, file)}\n`)
  }
  const vitest = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
  const { stdout } = spawnSync(
    process.execPath,
    [vitest, 'run', '--root', folder, basename(test)],
    {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', VITEST: '' },
    },
  )
  expect(stdout).toContain(`${count} passed (${count})`)
})
