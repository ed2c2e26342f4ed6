import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadManifest } from 'ftl-host'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { toolTaken } from './tool-list.ts'

const REPOSITORY = fileURLToPath(new URL('../../../spin.toml', import.meta.url))

const MANIFEST = `spin_manifest_version = 2
[application]
name = "a"
[[trigger.http]]
route = "/..."
component = "one"
[component.one]
source = "one.wasm"
[component.one.tool.ftl]
entry = "one/src/main.ts"
`

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-tool-list-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('does not take what the gateway has in its own tests for a tool: the README adds "greet"', async () => {
  expect(toolTaken(await loadManifest(REPOSITORY), 'greet')).toBeUndefined()
})

it.each([
  ['one/src/main.ts', true],
  ['one/src/tools/other.ts', true],
  ['one/src/main.test.ts', false],
  ['one/src/testing/world.ts', false],
  ['one/src/fixtures/world.ts', false],
])('a tool named in %s: taken %s', async (path, isTaken) => {
  const files = { 'spin.toml': MANIFEST, 'one/src/main.ts': '', [path]: "x({ name: 'greet' })" }
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  const taken = toolTaken(await loadManifest(join(folder, 'spin.toml')), 'greet')
  expect(taken).toEqual(isTaken ? { component: 'one', file: path } : undefined)
})
