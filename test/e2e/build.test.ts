import { mkdtemp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { ftl, REPOSITORY } from '../support/command.ts'

const folders: string[] = []
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(REPOSITORY, 'dist', 'build-test-'))
  folders.push(folder)
  await mkdir(join(folder, 'src'))
  await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(
    join(folder, 'spin.toml'),
    `spin_manifest_version = 2
[application]
name = "app"
[[trigger.http]]
route = "/..."
component = "one"
[component.one]
source = "one.wasm"
[component.one.tool.ftl]
entry = "src/one.ts"
`,
  )
})
afterAll(async () => {
  for (const each of folders) await rm(each, { recursive: true, force: true })
})

async function build(source: string): Promise<{ code: number | null; output: string }> {
  await writeFile(join(folder, 'src/one.ts'), source)
  const command = ftl(['build'], { cwd: folder })
  const code = await command.exited
  return { code, output: command.output() }
}

describe('ftl build', () => {
  it('builds once, and again only after a change', { timeout: 90_000 }, async () => {
    const source =
      "import { createTool } from 'ftl-sdk'\nexport const tool = createTool({ metadata: { name: 'a' }, handler: () => 'A' })\n"
    const first = await build(source)
    expect(first).toMatchObject({ code: 0 })
    expect(first.output).toMatch(/building one[^]*one built in \d/)
    expect((await build(source)).output).toContain('0 of 1 components built')
    expect((await build(source.replace("'A'", "'B'"))).output).toContain('1 of 1 components built')
  })

  it('builds the others when one fails, and names each that does', async () => {
    const manifest = await readFile(join(folder, 'spin.toml'), 'utf8')
    const more = ['two', 'three'].map(
      (id) =>
        `[component.${id}]\nsource = "${id}.wasm"\n[component.${id}.tool.ftl]\nentry = "src/${id}.ts"\n`,
    )
    await writeFile(join(folder, 'spin.toml'), manifest + more.join(''))
    await writeFile(join(folder, 'src/two.ts'), 'const = 1\n')
    await writeFile(join(folder, 'src/three.ts'), "throw new Error('third')\n")
    const good =
      "import { createTool } from 'ftl-sdk'\nexport const tool = createTool({ metadata: { name: 'a' }, handler: () => 'A' })\n"
    const { code, output } = await build(good)
    expect(code).toBe(1)
    expect(output).toContain('1 of 3 components built')
    expect(output).toMatch(/component "two" could not be built:\nsrc\/two\.ts:1:7/)
    expect(output).toMatch(/component "three" could not be built:\nsrc\/three\.ts:1:\d+: third/)
    const json = ftl(['build', '--json'], { cwd: folder })
    expect(await json.exited).toBe(1)
    const { components, errors } = JSON.parse(json.output()) as {
      components: { id: string }[]
      errors: { component: string }[]
    }
    expect(components.map(({ id }) => id)).toEqual(['one'])
    expect(errors.map(({ component }) => component)).toEqual(['two', 'three'])
  })

  it('names file and line of a syntax error', async () => {
    const { code, output } = await build('export const tool = [\n  1\n  2,\n]\n')
    expect(code).toBe(1)
    expect(output).toMatch(/component "one" could not be built/)
    expect(output).toMatch(/src\/one\.ts:3:3: /)
  })

  it('names file and line of an import that is not there', async () => {
    const { code, output } = await build("\nimport { x } from './nope.ts'\nexport const tool = x\n")
    expect(code).toBe(1)
    expect(output).toMatch(/src\/one\.ts:2:\d+: .*nope/)
  })

  it('names file and line that throws while the module is initialised', async () => {
    const { code, output } = await build(
      "export const tool = make()\n\nfunction make(): never {\n  throw new Error('no colour set')\n}\n",
    )
    expect(code).toBe(1)
    expect(output).toContain('no colour set')
    expect(output).toMatch(/src\/one\.ts:4:\d+/)
  })

  it('says what an entry must export', async () => {
    const { code, output } = await build('export const other = 1\n')
    expect(code).toBe(1)
    expect(output).toContain('component "one": its entry must export "tool"')
  })

  it('says which folder has no manifest', async () => {
    const command = ftl(['build', '--from', join(folder, 'src')])
    expect(await command.exited).toBe(1)
    expect(command.output()).toContain(`there is no ${join(folder, 'src', 'spin.toml')}`)
  })
})
