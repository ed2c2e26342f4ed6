import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { unlistedNames } from './inline.ts'
import { REPOSITORY } from './manifest.ts'
import { COMMAND_LIBRARIES, HOST_LIBRARIES } from './sources.ts'

it.each([
  ['cli/src', COMMAND_LIBRARIES],
  ['host/src', HOST_LIBRARIES],
])('%s imports only what its package takes from libraries', (folder, libraries) => {
  const root = join(REPOSITORY, folder)
  const modules = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  )
  const unlisted = modules.flatMap((path) =>
    unlistedNames(readFileSync(join(root, path), 'utf8'), libraries).map((of) => `${path}: ${of}`),
  )
  expect(unlisted).toEqual([])
})

it('names what is missing, and neither types nor other libraries', () => {
  const module = "import { type A, B as b, C } from 'yaml'\nimport { D } from 'other'\n"
  expect(unlistedNames(module, { yaml: ['B'] })).toEqual(['C of yaml'])
})
