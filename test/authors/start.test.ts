// What an author sees when spin.toml, or a file it names, is wrong: the output of the commands themselves.
import { createServer } from 'node:net'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ftl, REPOSITORY } from '../support/command.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

const MANIFEST = `spin_manifest_version = 2
[application]
name = "shop"
[variables]
api_key = { default = "k" }
[[trigger.http]]
route = "/..."
component = "mcp-gateway"
[component.mcp-gateway]
source = "gateway.wasm"
allowed_outbound_hosts = ["http://*.spin.internal"]
key_value_stores = ["default"]
[component.mcp-gateway.variables]
tool_components = "greet"
[[trigger.http]]
route = { private = true }
component = "greet"
[component.greet]
source = "greet.wasm"
[component.greet.variables]
api_key = "{{ api_key }}"
[component.greet.tool.ftl]
entry = "src/greet.ts"
`
const BUILD = ['build']
const UP = ['up', '--listen', '127.0.0.1:0', '--quiet']
const TWIN = `[component.other]\nsource = "greet.wasm"\n[component.other.tool.ftl]\nentry = "src/other.ts"\n`

const MISTAKES: [title: string, from: string, to: string, command: string[], ...words: string[]][] =
  [
    [
      '[author:toml-syntax]',
      '"shop"',
      'shop',
      BUILD,
      'spin.toml:3:8',
      'Strings need quotes',
      'name = shop',
    ],
    [
      '[author:unknown-key]',
      'allowed_outbound_hosts',
      'allowed_outbound_host',
      BUILD,
      'component.mcp-gateway.allowed_outbound_host: is not a key',
      'did you mean "allowed_outbound_hosts"?',
    ],
    [
      '[author:component-id]',
      '[component.greet]',
      '[component.say_hello]',
      BUILD,
      'component.say_hello',
      'write',
      '"say-hello"',
    ],
    [
      '[author:unknown-component]',
      'component = "greet"',
      'component = "great"',
      BUILD,
      'trigger.http[1].component',
      'no [component.great]',
      'there are mcp-gateway, greet',
    ],
    [
      '[author:undeclared-variable]',
      '{{ api_key }}',
      '{{ apikey }}',
      BUILD,
      'component.greet.variables.api_key',
      '"apikey", which [variables] lacks',
    ],
    [
      '[author:entry-missing]',
      'src/greet.ts',
      'src/great.ts',
      BUILD,
      '[component.greet.tool.ftl] entry',
      'src/great.ts',
      'correct the path in spin.toml',
    ],
    [
      '[author:entry-package]',
      'src/greet.ts',
      '@me/no-such-tools',
      BUILD,
      '[component.greet.tool.ftl] entry',
      'no package "@me/no-such-tools"',
      'npm install @me/no-such-tools',
    ],
    [
      '[author:shared-source]',
      '[component.greet]\n',
      `${TWIN}[component.greet]\n`,
      BUILD,
      '[component.greet] source is greet.wasm',
      '[component.other]',
      '"dist/greet.wasm"',
    ],
    [
      '[author:not-built]',
      'greet.wasm',
      'nowhere.wasm',
      UP,
      'component "greet"',
      'nowhere.wasm does not exist',
      '"ftl build greet"',
    ],
    [
      '[author:no-value]',
      'default = "k"',
      'required = true',
      UP,
      '"api_key" (SPIN_VARIABLE_API_KEY)',
      '--variable api_key=…',
    ],
  ]

let workshop: Workshop

beforeAll(async () => {
  const source = 'export const tool = 1\n'
  workshop = await openWorkshop({ 'src/greet.ts': source, 'src/other.ts': source })
  await symlink(join(REPOSITORY, 'dist/mcp-gateway.wasm'), join(workshop.folder, 'gateway.wasm'))
  await symlink(join(REPOSITORY, 'dist/echo.wasm'), join(workshop.folder, 'greet.wasm'))
})
afterAll(() => workshop.close())

it.each(MISTAKES)('%s', async (_, from, to, args, ...words) => {
  expect(MANIFEST).toContain(from)
  await workshop.write('spin.toml', MANIFEST.replace(from, to))
  const command = ftl(args, { cwd: workshop.folder })
  expect(await command.exited).toBe(1)
  for (const each of words) expect(command.output()).toContain(each)
  // It is the author's mistake, so a stack of our code would not help.
  expect(command.output()).not.toMatch(/--debug|\n +at /)
})

it('[author:unknown-tool-component] is served, and the name is pointed out', async () => {
  const text = MANIFEST.replace('tool_components = "greet"', 'tool_components = "greet,great"')
  await workshop.write('spin.toml', text)
  const command = ftl(UP, { cwd: workshop.folder })
  await command.printed('Serving http://')
  command.signal('SIGTERM')
  await command.exited
  expect(command.output()).toMatch(
    /tool_components: names "great", and there is no such component\n.*name some of: greet/,
  )
})

it('[author:unlisted-component] is found by the doctor', async () => {
  const text = MANIFEST.replace('tool_components = "greet"', 'tool_components = ""')
  await workshop.write('spin.toml', text)
  const command = ftl(['doctor'], { cwd: workshop.folder })
  await command.exited
  expect(command.output()).toMatch(
    /component greet: .* is not in tool_components.*\n.*add "greet" to tool_components/,
  )
})

it('[author:port-taken] names the port, who can tell whose it is, and the flag', async () => {
  await workshop.write('spin.toml', MANIFEST)
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const command = ftl(['up', '--listen', `127.0.0.1:${port}`], { cwd: workshop.folder })
  expect(await command.exited).toBe(1)
  await new Promise((resolve) => server.close(resolve))
  const said = command.output()
  expect(said).toContain(`127.0.0.1:${port} is already in use`)
  expect(said).toContain(`lsof -i :${port}`)
  expect(said).toContain('--listen')
})
