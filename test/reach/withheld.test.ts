// A component whose manifest gives it no network or no store does not import them, and a host gives it none.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { componentInterfaces } from 'ftl-host'
import { buildComponents, type Withheld } from 'ftl/build'
import { loadApplication } from 'ftl/application'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkshop, type Workshop } from '../authors/workshop.ts'
import { type RunningApplication, startHostile } from '../hostile/support/application.ts'
import { gatewayOver, rpc } from '../hostile/support/publisher.ts'

const SOURCE = `
  import { createTools, createTool, ToolResponse } from 'ftl-sdk'
  const tried = async (work) => { try { return await work() } catch (error) { return 'refused: ' + error } }
  export const tools = createTools([
    createTool({
      metadata: { name: 'fetches', description: 'Fetches.', inputSchema: { type: 'object' } },
      handler: async (_input, { fetch }) => ToolResponse.text(await tried(async () => (await (fetch ?? globalThis.fetch)('http://back.spin.internal/')).status + ' from another')),
    }),
    createTool({
      metadata: { name: 'stores', description: 'Stores.', inputSchema: { type: 'object' } },
      handler: async (_input, { kv }) => ToolResponse.text(await tried(async () => { await kv.set('a', 'b'); return await kv.getText('a') })),
    }),
  ])
`

const NETWORK = 'wasi:http/outgoing-handler@0.2.10'
const STORE = 'fermyon:spin/key-value@2.0.0'

let workshop: Workshop
let host: RunningApplication

async function built(id: string, withheld: Withheld[]): Promise<Uint8Array> {
  const output = join(workshop.folder, 'dist', `${id}.wasm`)
  const target = { id, entry: join(workshop.folder, 'src/main.ts'), output, withheld }
  await buildComponents([target], { cacheFolder: join(workshop.folder, 'cache') })
  return readFile(output)
}

let open: Uint8Array
let shut: Uint8Array

beforeAll(async () => {
  workshop = await openWorkshop({ 'src/main.ts': SOURCE })
  open = await built('open', [])
  shut = await built('shut', ['wasi:http/outgoing-handler', 'fermyon:spin/key-value'])
  // The manifest gives both the same: what differs is what the files import.
  const rights = {
    route: false as const,
    allowedHosts: ['http://back.spin.internal'],
    stores: ['default'],
  }
  host = await startHostile({
    gateway: await gatewayOver(['open', 'shut'], { discovery_timeout_ms: '20000' }),
    open: { wasm: open, ...rights },
    shut: { wasm: shut, ...rights },
    back: { wasm: open, route: false },
  })
})
afterAll(async () => {
  await host?.close()
  await workshop?.close()
})

async function call(name: string): Promise<string> {
  const answer = (await rpc(host.url, 'tools/call', { name, arguments: {} })) as {
    result: { content: { text: string }[] }
  }
  return answer.result.content[0]?.text ?? ''
}

describe('a component that is built without interfaces', () => {
  it('does not import them; one that is built with them does', () => {
    const { imports } = componentInterfaces(shut)
    expect(imports).not.toContain(NETWORK)
    expect(imports).not.toContain(STORE)
    expect(componentInterfaces(open).imports).toEqual(expect.arrayContaining([NETWORK, STORE]))
  })

  it('gets an error where the other one gets an answer, whatever the manifest allows', async () => {
    await rpc(host.url, 'tools/list', {})
    expect(await call('fetches')).toContain('from another')
    expect(await call('stores')).toBe('b')
    expect(await call('shut__fetches')).toContain('refused: ')
    expect(await call('shut__stores')).toContain('refused: ')
  })

  it('is not ended by it, and serves the next request', async () => {
    await call('shut__fetches')
    expect(await call('shut__fetches')).toContain('refused: ')
    expect(host.errors.filter(({ message }) => message.includes('trap'))).toEqual([])
  })
})

describe('ftl build', () => {
  const manifest = (lines: string) => `spin_manifest_version = 2
[application]
name = "a"
[component.one]
source = "dist/one.wasm"
${lines}
[component.one.tool.ftl]
entry = "src/main.ts"
`
  const withheld = async (lines: string) => {
    await workshop.write('spin.toml', manifest(lines))
    const { targets } = await loadApplication(workshop.folder)
    return targets[0]?.withheld ?? []
  }

  it('takes from the manifest what a component is built without', async () => {
    const all = ['wasi:http/outgoing-handler', 'fermyon:spin/key-value']
    expect(await withheld('')).toEqual(all)
    expect(await withheld('allowed_outbound_hosts = ["https://a.example"]')).toEqual([all[1]])
    expect(await withheld('key_value_stores = ["default"]')).toEqual([all[0]])
  })

  it('leaves in what another component with the same file needs', async () => {
    const other = 'key_value_stores = ["default"]\n[component.two.tool.ftl]\nentry = "src/main.ts"'
    expect(await withheld(`[component.two]\nsource = "dist/one.wasm"\n${other}`)).toEqual([
      'wasi:http/outgoing-handler',
    ])
  })
})
