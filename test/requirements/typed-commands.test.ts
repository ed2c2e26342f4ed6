// A command that a message prints on a line of its own is copied. In an application that was created, only npx finds ftl.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

/** The beginning of a text in the source: examples of the help are inside of one. */
const BARE = /['"`] {2,}ftl \w/

it('a message that prints a command of ftl on a line of its own begins it with npx', () => {
  const files = globSync('{cli,create-ftl-tool,bridge}/src/**/*.ts', { cwd: REPOSITORY })
  expect(files.length).toBeGreaterThan(100)
  const bare = files
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => BARE.test(readFileSync(REPOSITORY + file, 'utf8')))
  expect(bare).toEqual([])
})
