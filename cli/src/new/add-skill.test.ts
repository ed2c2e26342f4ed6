import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { parseManifest } from 'ftl-host'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { problemForClients } from '../skills/clients-reading.ts'
import { readFrontMatter } from '../skills/front-matter.ts'
import { skillFolders } from '../skills/skill-folders.ts'
import { addSkill } from './add-skill.ts'
import { skillNameProblem, skillText } from './skill-text.ts'

const MANIFEST = `spin_manifest_version = 2

[application]
name = "app"

[component.mcp-gateway]
source = "dist/mcp-gateway.wasm"

[component.mcp-gateway.variables]
tool_components = "greet@basics,office,wasm"

[component.mcp-gateway.tool.ftl]
entry = "src/gateway.ts"

[component.wasm]
source = "wasm.wasm"

[component.office]
source = "dist/office.wasm"

[component.office.tool.ftl]
entry = "tools/office/index.ts" # the entry

[component.greet]
source = "dist/greet.wasm"

[component.greet.tool.ftl]
entry = "tools/greet/index.ts"
`

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-add-skill-'))
  file = join(folder, 'spin.toml')
  writeFileSync(file, MANIFEST)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const text = () => readFileSync(file, 'utf8')
const edited = (from: string, to: string) => {
  expect(MANIFEST).toContain(from)
  writeFileSync(file, MANIFEST.replace(from, to))
}

describe('a new skill', () => {
  it('is a folder that the first tool component serves', () => {
    expect(addSkill(file, 'refunds', {})).toMatchObject({
      ...{ file: 'skills/refunds/SKILL.md', component: 'greet', dryRun: false },
      manifestLine: 'skills = ["skills"]',
    })
    expect(text()).toBe(`${MANIFEST}skills = ["skills"]\n`)
    const { tool } = parseManifest(text(), file).components.get('greet') ?? {}
    expect(skillFolders(tool?.['ftl']?.['skills'], folder, '')).toEqual([
      join(folder, 'skills/refunds'),
    ])
  })

  it('is served by the component that is named, whose comments stay', () => {
    addSkill(file, 'refunds', { component: 'office' })
    const line = 'entry = "tools/office/index.ts" # the entry\n'
    expect(text()).toBe(MANIFEST.replace(line, `${line}skills = ["skills"]\n`))
  })

  it('is put beside the others, and spin.toml stays as it is', () => {
    edited('# the entry', '\nskills = ["./agent/"]')
    const before = text()
    const added = addSkill(file, 'refunds', {})
    expect(added).toMatchObject({ component: 'office', file: 'agent/refunds/SKILL.md' })
    expect(added).not.toHaveProperty('manifestLine')
    expect(text()).toBe(before)
  })

  it('keeps the ends of lines of Windows', () => {
    writeFileSync(file, MANIFEST.replaceAll('\n', '\r\n'))
    addSkill(file, 'refunds', { component: 'office' })
    expect(text()).toContain('# the entry\r\nskills = ["skills"]\r\n')
    expect(text().replaceAll('\r\n', '')).not.toContain('\n')
  })

  it('is not written with dryRun, and alone with filesOnly', () => {
    addSkill(file, 'refunds', { dryRun: true })
    expect(readdirSync(folder)).toEqual(['spin.toml'])
    addSkill(file, 'refunds', { filesOnly: true })
    expect(text()).toBe(MANIFEST)
    expect(existsSync(join(folder, 'skills/refunds/SKILL.md'))).toBe(true)
  })
})

describe('nothing is written', () => {
  it.each<[string, string, { component?: string }, RegExp]>([
    ['for a name with capitals', 'Refunds', {}, /words of a-z and 0-9/],
    ['for a name with two dashes', 'a--b', {}, /single dashes/],
    ['for a path', '../refunds', {}, /words of a-z/],
    ['for no name', '', {}, /words of a-z/],
    ['for a long name', 'a'.repeat(65), {}, /at most 64/],
    ['for a device', 'con', {}, /Windows/],
    ['for an unknown component', 'refunds', { component: 'x' }, /has no "x"; it has mcp-gateway/],
    ['for the gateway', 'refunds', { component: 'mcp-gateway' }, /cannot serve skills/],
    ['for a component that is not built here', 'refunds', { component: 'wasm' }, /cannot serve/],
  ])('%s', (_, name, options, message) => {
    expect(() => addSkill(file, name, options)).toThrow(message)
    expect(readdirSync(folder)).toEqual(['spin.toml'])
    expect(text()).toBe(MANIFEST)
  })

  it('over a folder that is there', () => {
    const other = join(folder, 'skills/refunds/notes.md')
    mkdirSync(dirname(other), { recursive: true })
    writeFileSync(other, 'x')
    expect(() => addSkill(file, 'refunds', {})).toThrow(/has files in it/)
    expect(text()).toBe(MANIFEST)
  })

  it.each([
    ['skills = true', /by hand/],
    ['skills = ["../elsewhere"]', /must be in the folder of spin.toml/],
    ['skills = 5', /by hand/],
  ])('if the component has %s', (line, message) => {
    edited('# the entry', `\n${line}`)
    const before = text()
    expect(() => addSkill(file, 'refunds', { component: 'office' })).toThrow(message)
    expect(text()).toBe(before)
    expect(readdirSync(folder)).toEqual(['spin.toml'])
  })

  it('if the table is written in another form', () => {
    edited(
      '[component.office.tool.ftl]\nentry = "tools/office/index.ts" # the entry',
      'tool.ftl.entry = "tools/office/index.ts"',
    )
    expect(() => addSkill(file, 'refunds', { component: 'office' })).toThrow(/by hand/)
    expect(readdirSync(folder)).toEqual(['spin.toml'])
  })
})

it('every name makes a SKILL.md that the build takes and clients read', async () => {
  const part = fc.stringMatching(/^[a-z0-9]{1,8}$/)
  const odd = fc.constantFrom('true', 'null', '2024', '1e3', '0x1f', 'on', 'no', 'y', '00', '1')
  const name = fc.oneof(
    odd,
    fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('-')),
  )
  await fc.assert(
    fc.asyncProperty(name, async (each) => {
      fc.pre(skillNameProblem(each) === undefined)
      const read = readFrontMatter(skillText(each), each)
      expect(read).toMatchObject({ frontmatter: { name: each } })
      if ('frontmatter' in read) {
        expect(await problemForClients(skillText(each), read.frontmatter)).toBeUndefined()
      }
    }),
  )
})
