// The same tools, built with each JavaScript engine, answer the same.
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildComponents, ENGINES, type EngineName } from 'ftl/build'
import { type Host, startHost } from 'ftl-host'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { REPOSITORY } from '../support/command.ts'

const ENTRIES = {
  'mcp-gateway': 'gateway/src/main.ts',
  echo: 'components/echo/src/main.ts',
  calculator: 'components/calculator/src/main.ts',
}
const CACHE = join(REPOSITORY, '.ftl/cache')

const MANIFEST = `spin_manifest_version = 2
[application]
name = "engines"
${Object.keys(ENTRIES)
  .map(
    (id) => `[[trigger.http]]
route = ${id === 'mcp-gateway' ? '"/..."' : '{ private = true }'}
component = "${id}"
[component.${id}]
source = "${id}.wasm"
key_value_stores = ["default"]
allowed_outbound_hosts = ["http://*.spin.internal"]
`,
  )
  .join('')}[component.mcp-gateway.variables]
tool_components = "echo,calculator"
`

let folder: string
const hosts = new Map<EngineName, Host>()
beforeAll(async () => {
  await mkdir(join(REPOSITORY, 'dist'), { recursive: true })
  folder = await mkdtemp(join(REPOSITORY, 'dist', 'engines-'))
  for (const engine of ENGINES) {
    const output = (id: string) => join(folder, engine, `${id}.wasm`)
    const targets = Object.entries(ENTRIES).map(([id, entry]) => ({
      id,
      entry: join(REPOSITORY, entry),
      output: output(id),
      engine,
    }))
    await buildComponents(targets, { cacheFolder: CACHE })
    const manifest = join(folder, engine, 'spin.toml')
    await writeFile(manifest, MANIFEST)
    const options = { manifest, listen: '127.0.0.1:0', stateDir: '', cacheDir: CACHE, env: {} }
    hosts.set(engine, await startHost(options))
  }
})
afterAll(async () => {
  await Promise.all([...hosts.values()].map((host) => host.close()))
  await rm(folder, { recursive: true, force: true })
})

async function answer(engine: EngineName, path: string, body?: unknown) {
  const url = `${hosts.get(engine)?.url}${path}`
  const headers = { 'content-type': 'application/json', 'x-request-id': 'the-same' }
  const response = await fetch(
    url,
    body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
  )
  const { status } = response
  return { status, type: response.headers.get('content-type'), text: await response.text() }
}

const rpc = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const call = (name: string, args: object) => rpc('tools/call', { name, arguments: args })

it.each<[what: string, path: string, body?: unknown]>([
  ['the list of tools', '/mcp', rpc('tools/list')],
  ['a call', '/mcp', call('echo', { message: 'Ünï – 漢字 😀' })],
  ['a call that computes', '/mcp', call('calculator', { expression: '2^10 / 3' })],
  ['an error of the tool', '/mcp', call('calculator', { expression: '1 / 0' })],
  ['a missing argument', '/mcp', call('echo', {})],
  ['an argument of another type', '/mcp', call('echo', { message: 5 })],
  ['an unknown tool', '/mcp', call('nothing', {})],
  ['an unknown method', '/mcp', rpc('nothing')],
  ['a body that is not a request', '/mcp', 'text'],
  ['plain HTTP: the tools', '/tools'],
  ['plain HTTP: a call', '/tools/echo', { message: 'hi' }],
  ['plain HTTP: an unknown tool', '/tools/nothing', {}],
  ['an unknown path', '/nothing'],
])('%s is the same with each engine', async (_, path, body) => {
  const [first, ...others] = await Promise.all(ENGINES.map((engine) => answer(engine, path, body)))
  expect(first?.status).toBeLessThan(500)
  for (const other of others) expect(other).toEqual(first)
})

it('a component of our engine has a quarter of the size', async () => {
  const size = async (engine: EngineName) => (await stat(join(folder, engine, 'echo.wasm'))).size
  expect(await size('quickjs')).toBeLessThan((await size('starlingmonkey')) / 4)
})
