// What clients see of an application: `ftl build` writes it into the gateway, as here.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { createWorld as CreateWorld } from './testing/components.ts'

const ICONS = [{ src: 'https://tools.example/icon.png', sizes: ['48x48'] }]
const BUILT_AS = {
  name: 'our-tools',
  version: '1.2.3',
  title: 'Our tools',
  description: 'Tools of ours',
  websiteUrl: 'https://tools.example',
  icons: ICONS,
  instructions: 'Search first.',
}
const { instructions, ...INFO } = BUILT_AS
const SERVER_KEY = 'io.modelcontextprotocol/serverInfo'
const NAME = { name: 'our-tools', version: '1.2.3' }

let world: ReturnType<typeof CreateWorld>
beforeEach(async () => {
  vi.stubGlobal('BUILT_AS', BUILT_AS)
  vi.resetModules()
  const { createWorld } = await import('./testing/components.ts')
  world = createWorld()
})
// Modules are shared with other files.
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
})

it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'initialize of %s has the name and the instructions of the application',
  async (version) => {
    expect(await world.rpc(initialize(version))).toMatchObject({
      result: { serverInfo: INFO, instructions },
    })
  },
)

it('initialize of the API reference has the fields that it has there', async () => {
  const { result } = (await world.rpc(initialize('0.1.0'))) as { result: { serverInfo: object } }
  expect(result.serverInfo).toEqual(NAME)
})

it('server/discover has all of it, and other results the name and the version', async () => {
  const request = (method: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  })
  const ask = (method: string) =>
    world.rpc(request(method), { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method })
  expect(await ask('server/discover')).toMatchObject({
    result: { instructions, _meta: { [SERVER_KEY]: INFO } },
  })
  const { result } = (await ask('tools/list')) as { result: { _meta: Record<string, unknown> } }
  expect(result._meta[SERVER_KEY]).toEqual(NAME)
})

it('the OpenAPI document has its title', async () => {
  const response = await world.send(new Request('http://localhost:3000/openapi.json'))
  expect(await response.json()).toMatchObject({
    info: { title: 'Our tools', version: '1.2.3', description: 'Tools of ours' },
  })
})
