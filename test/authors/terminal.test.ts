// What an author types at the terminal beside a served application: names with mistakes of typing, no address at all, and
// the answers to a tool's questions.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atTerminal, hasTerminal } from '../support/at-terminal.ts'
import { freePort, ftl, REPOSITORY, type RunningCommand } from '../support/command.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

const MANIFEST = `spin_manifest_version = 2
[application]
name = "terminal"
[[trigger.http]]
route = "/..."
component = "mcp-gateway"
[component.mcp-gateway]
source = "${join(REPOSITORY, 'dist/mcp-gateway.wasm')}"
allowed_outbound_hosts = ["http://*.spin.internal"]
key_value_stores = ["default"]
[component.mcp-gateway.variables]
tool_components = "desk"
[[trigger.http]]
route = { private = true }
component = "desk"
[component.desk]
source = "desk.wasm"
[component.desk.tool.ftl]
entry = "src/desk.ts"
`
const SOURCE = `import { createTool, createTools, ToolResponse } from 'ftl-sdk'
const name = { type: 'string', description: 'Whom to greet' }
const ask = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Delete Oslo?', requestedSchema: {
    type: 'object', properties: { sure: { type: 'boolean', title: 'Really' } }, required: ['sure'] } },
}
export const tools = createTools([
  createTool({
    metadata: { name: 'greet', description: 'Greets', inputSchema: {
      type: 'object', properties: { name, loud: { type: 'boolean', default: false } }, required: ['name'] } },
    handler: ({ name, loud }) => (loud ? \`HELLO, \${name}!\` : \`Hello, \${name}!\`),
  }),
  createTool({
    metadata: { name: 'delete', description: 'Deletes' },
    handler: (_, { inputResponses }) =>
      inputResponses ? JSON.stringify(inputResponses.sure) : ToolResponse.inputRequired({ sure: ask }),
  }),
])
`

let workshop: Workshop
let served: RunningCommand
let url: string

beforeAll(async () => {
  workshop = await openWorkshop({ 'spin.toml': MANIFEST, 'src/desk.ts': SOURCE })
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  served = ftl(['up', '--build', '--listen', `127.0.0.1:${port}`], {
    cwd: workshop.folder,
  })
  await served.printed('Serving http://')
})
afterAll(async () => {
  served.signal('SIGTERM')
  await served.exited
  await workshop.close()
})

async function run(args: string[], folder = workshop.folder) {
  const command = ftl(args, { cwd: folder })
  return { code: await command.exited, output: command.output() }
}

describe('the application of the folder', () => {
  it('is found on whatever port it listens, also from a folder inside', async () => {
    const greeted = { code: 0, output: 'Hello, Ada!\n' }
    expect(await run(['call', 'greet', 'name=Ada'])).toEqual(greeted)
    expect(await run(['call', 'greet', 'name=Ada'], join(workshop.folder, 'src'))).toEqual(greeted)
    expect((await run(['tools'])).output).toContain('greet')
  })

  it('is found by the Inspector', async () => {
    const { code, output } = await run(['inspect', '--cli', '--method', 'tools/list'])
    expect({ code, listed: output.includes('"greet"') }).toEqual({ code: 0, listed: true })
  })

  it('is found by the completion of tool names', async () => {
    expect((await run(['complete', 'call', 'gr'])).output).toMatch(/^greet\t/)
  })

  it('is no longer found when it has ended, and the message says how to start it', async () => {
    const other = await openWorkshop({
      'src/desk.ts': SOURCE,
      'spin.toml': MANIFEST.replace('"desk.wasm"', `"${join(workshop.folder, 'desk.wasm')}"`),
    })
    const args = ['up', '--listen', '127.0.0.1:0', '--quiet']
    const command = ftl(args, { cwd: other.folder })
    await command.printed('Serving http://')
    const folder = join(other.folder, '.ftl/running')
    // It is written once the port is open.
    await expect.poll(() => existsSync(join(folder, `${command.pid}.json`))).toBe(true)
    command.signal('SIGTERM')
    await command.exited
    expect(existsSync(join(folder, `${command.pid}.json`))).toBe(false)
    // Another application may be served on port 3000 of this machine: only the words for a refused address matter.
    const { output } = await run(['call', 'greet', '--url', 'http://127.0.0.1:9/mcp'], other.folder)
    expect(output).toContain('The application here is not running')
    expect(output).toContain('npx ftl dev')
    await other.close()
  })

  it('is not a server elsewhere that a record names', async () => {
    const other = await openWorkshop({ 'spin.toml': MANIFEST })
    mkdirSync(join(other.folder, '.ftl/running'), { recursive: true })
    const record = { url: 'http://evil.example:9', pid: process.pid, startedAt: Date.now() }
    writeFileSync(join(other.folder, `.ftl/running/${process.pid}.json`), JSON.stringify(record))
    expect((await run(['call', 'greet', 'name=secret'], other.folder)).output).not.toContain('evil')
    await other.close()
  })
})

describe('a mistake of typing', () => {
  it.each<[string, string[], number, ...string[]]>([
    ['the tool', ['call', 'gret', 'name=Ada'], 6, 'Did you mean greet?', 'ftl tools'],
    ['the tool to show', ['tools', 'gret'], 1, 'did you mean greet?'],
    ['a parameter', ['call', 'greet', 'nmae=Ada'], 1, 'did you mean "name"?', 'Whom to greet'],
    [
      'an optional parameter, which would be ignored',
      ['call', 'greet', 'name=Ada', 'lodu=true'],
      1,
      'did you mean "loud"?',
    ],
  ])('%s', async (_, args, code, ...words) => {
    const result = await run(args)
    expect(result.code).toBe(code)
    for (const each of words) expect(result.output).toContain(each)
  })

  it('the scheme and the path of the address', async () => {
    const bare = url.replace('http://', '')
    expect((await run(['tools', '--url', bare])).output).toContain(`did you mean ${url}/mcp?`)
    expect((await run(['tools', '--url', url])).output).toContain(`Did you mean ${url}/mcp?`)
    expect((await run(['inspect', '--url', bare])).output).toContain(`did you mean ${url}/mcp?`)
  })

  it('a missing parameter: the result is followed by what there is', async () => {
    const { code, output } = await run(['call', 'greet'])
    expect(code).toBe(5)
    expect(output).toMatch(/Parameters of greet:\n {2}name {2}string, required +Whom to greet\n/)
    expect(output).toMatch(/loud {2}boolean, default false/)
  })
})

it('a call leaves no stream behind that it ends by leaving', async () => {
  await run(['call', 'greet', 'name=Ada'])
  await served.printed(/POST \/mcp greet 200/)
  await run(['tools'])
  expect(served.output()).not.toContain('the client left')
})

it('ftl tools NAME shows the parameters', async () => {
  const { output } = await run(['tools', 'greet'])
  expect(output).toMatch(/^greet\nGreets\nParameters:\n {2}name {2}string, required/)
})

it('ftl call --help lists every exit code that the command has', async () => {
  const { output } = await run(['call', '--help'])
  const [, codes = ''] = output.split('Exit codes:')
  for (const code of ['0', '1', '4', '5', '6', '7', '8', '130']) {
    expect(codes).toMatch(new RegExp(`^ +${code} `, 'm'))
  }
})

describe("a tool's question", () => {
  it('cannot be answered without a terminal, and the command says so', async () => {
    const { code, output } = await run(['call', 'delete'])
    expect(code).toBe(6)
    expect(output).toContain('standard input is not a terminal')
  })

  it.skipIf(!hasTerminal)('is answered at the terminal', async () => {
    const { screen: output } = await atTerminal(
      ['call', 'delete'],
      [
        [/Really.*: $/, 'maybe\r'],
        [/Please[^]*: $/, 'y\r'],
      ],
      { cwd: workshop.folder },
    )
    expect(output).toContain('Delete Oslo?')
    // Words of the library for what the question itself shows.
    expect(output).not.toContain('Fulfilling')
    expect(output).toContain('{"action":"accept","content":{"sure":true}}')
  })
})
