import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PARTS } from 'create-ftl-tool'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addPart } from './add-part.ts'

const MANIFEST = `spin_manifest_version = 2

[application]
name = "app"

[variables]
tool_components = { default = "greet" }

[[trigger.http]]
route = "/mcp"
component = "mcp-gateway"

[component.mcp-gateway]
source = "dist/mcp-gateway.wasm"

[component.mcp-gateway.variables]
tool_components = "{{ tool_components }}"

[[trigger.http]]
route = "/"
component = "start-page"

[component.start-page]
source = "dist/start-page.wasm"
`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-add-part-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('a part takes no route from a component of the application', () => {
  const file = join(folder, 'spin.toml')
  writeFileSync(file, MANIFEST)
  const web = PARTS.find(({ id }) => id === 'web')
  if (!web) throw new Error('there is no such part')
  expect(() => addPart(file, web)).toThrow('"/" of "start-page"')
  expect(readFileSync(file, 'utf8')).toBe(MANIFEST)
})
