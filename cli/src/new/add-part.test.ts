import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PARTS } from 'create-ftl-tool'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addPart } from './add-part.ts'
import { removePart } from './remove-part.ts'

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

const PLAIN = MANIFEST.replace(/\n\[\[trigger.http\]\]\nroute = "\/"[^]*$/, '')
/** As the package is after its packing. */
function installParts(): void {
  const parts = join(folder, 'node_modules/ftl-components')
  mkdirSync(join(parts, 'web'), { recursive: true })
  writeFileSync(join(parts, 'web/index.js'), '')
  for (const { spec, folders } of PARTS.flatMap(({ components }) => components))
    for (const name of folders) {
      mkdirSync(join(parts, spec.id, name), { recursive: true })
      writeFileSync(join(parts, spec.id, name, 'a.json'), '{}')
    }
}

describe.each([
  ['this system', PLAIN],
  ['Windows', PLAIN.replaceAll('\n', '\r\n')],
])('in a spin.toml with the ends of line of %s', (_, plain) => {
  it.each(PARTS)('the part $id is removed without a trace', (part) => {
    const file = join(folder, 'spin.toml')
    writeFileSync(file, plain)
    installParts()
    addPart(file, part)
    const removed = removePart(file, part)
    expect(removed?.components).toEqual(part.components.map(({ spec }) => spec.id))
    expect(readFileSync(file, 'utf8')).toBe(plain)
  })
})

it('a part that is added again uses the settings that its removal has left', () => {
  const file = join(folder, 'spin.toml')
  writeFileSync(file, PLAIN)
  installParts()
  const images = PARTS.find(({ id }) => id === 'comfyui')
  if (!images) throw new Error('there is no such part')
  const first = addPart(file, images)
  expect(first.kept).toEqual([])
  const [setting = ''] = first.files
  writeFileSync(join(folder, setting), 'mine')
  const removed = removePart(file, images)
  const again = addPart(file, images)
  expect(again).toMatchObject({ files: [], kept: removed?.left })
  expect(readFileSync(join(folder, setting), 'utf8')).toBe('mine')
})

it('a variable that another part receives stays with it', () => {
  const file = join(folder, 'spin.toml')
  writeFileSync(file, PLAIN)
  installParts()
  const [web, chat] = ['web', 'chat'].map((name) => PARTS.find(({ id }) => id === name))
  if (!web || !chat) throw new Error('create-ftl-tool has no part web or chat')
  addPart(file, web)
  const before = readFileSync(file, 'utf8')
  addPart(file, chat)
  removePart(file, chat)
  expect(readFileSync(file, 'utf8')).toBe(before)
})

it.each(['tools/web/src/main.ts', 'web.ts', './web.ts', '@acme/pages', 'acme-pages/web'])(
  "a component of the author's own with the name of a part is not one: %s",
  (entry) => {
    const file = join(folder, 'spin.toml')
    const own = `\n[component.web]\nsource = "dist/web.wasm"\n\n[component.web.tool.ftl]\nentry = "${entry}"\n`
    writeFileSync(file, PLAIN + own)
    const web = PARTS.find(({ id }) => id === 'web')
    expect(web && removePart(file, web)).toBeUndefined()
  },
)

it('a part takes no route from a component of the application', () => {
  const file = join(folder, 'spin.toml')
  writeFileSync(file, MANIFEST)
  const web = PARTS.find(({ id }) => id === 'web')
  if (!web) throw new Error('there is no such part')
  expect(() => addPart(file, web)).toThrow('"/" of "start-page"')
  expect(readFileSync(file, 'utf8')).toBe(MANIFEST)
})
