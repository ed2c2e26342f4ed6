// A gateway beside the components: what its sandbox ensured has to be true without it.
import { createHash, randomBytes } from 'node:crypto'
import { withMark } from 'ftl-host'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver, publisher } from './support/publisher.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const key = () => `ftl_${randomBytes(32).toString('base64url')}`

const KEYS = { ada: key(), bob: key() }
const TOOLS: Readonly<Record<keyof typeof KEYS, string>> = { ada: 'open', bob: 'other' }

/** Bytes of a body that a gateway still reads. */
const BODY_BYTES = 4 * 1024 * 1024 - 1024

let host: RunningApplication

beforeAll(async () => {
  const tools = Object.values(TOOLS).map((name) => ({ name, inputSchema: { type: 'object' } }))
  const rules = Object.entries(TOOLS).map(([name, tool]) => ({
    principals: [`key:${name}`],
    tools: [tool],
    effect: 'allow',
  }))
  const keys = Object.entries(KEYS).map(([principal, key]) => ({
    sha256: sha256(key),
    principal,
    scopes: [],
  }))
  host = await startHostile({
    gateway: await gatewayOver(['tool'], {
      api_keys: JSON.stringify(keys),
      policy: JSON.stringify({ rules }),
      discovery_timeout_ms: '20000',
    }),
    tool: { wasm: await publisher({ tools, content: [] }), route: false },
    forged: {
      wasm: withMark(await publisher({ status: 'of the component' }), {
        source: sha256(inject('nativeGateway')),
        without: [],
      }),
      // Only a gateway has this variable.
      variables: { tool_components: '' },
    },
    remote2: {
      wasm: withMark(await publisher({ status: 'of the component' }), {
        source: sha256(inject('nativeRemote')),
        without: [],
      }),
    },
    tool2: {
      wasm: withMark(await publisher({ status: 'of the component' }), {
        source: sha256(inject('nativeGateway')),
        without: [],
      }),
    },
  })
})

afterAll(() => host.close())

async function ask(key: string, body: string): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const response = await fetch(`${host.url}/mcp`, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}

const call = (method: string, params: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

attack('find in a request what another caller may see, with 200 of both at once', async () => {
  // A host refuses more than 250 at once.
  const lists = Array.from({ length: 200 }, async (_, nth) => {
    const [name, key] = Object.entries(KEYS)[nth % 2] ?? ['', '']
    const { text } = await ask(key, call('tools/list', {}))
    const listed = (JSON.parse(text) as { result: { tools: { name: string }[] } }).result.tools
    return [
      name,
      listed.map((tool) => tool.name).filter((tool) => Object.values(TOOLS).includes(tool)),
    ]
  })
  for (const [name, listed] of await Promise.all(lists)) {
    expect(listed).toEqual([TOOLS[name as keyof typeof TOOLS]])
  }
  return 'each list is its own'
})

attack('change the objects that all requests share', async () => {
  const members = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
  const bodies = [
    call('tools/call', { name: '__proto__', arguments: JSON.parse(members) as object }),
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open","arguments":${members},"_meta":${members}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"constructor","params":${members},"__proto__":{"polluted":1}}`,
  ]
  for (const body of bodies) await ask(KEYS.ada, body)
  const { text } = await ask(KEYS.ada, call('tools/list', {}))
  expect(text).not.toContain('polluted')
  expect(JSON.parse(text)).toMatchObject({ result: { tools: expect.any(Array) as unknown } })
  return 'nothing inherits it'
})

attack(
  'fill the heap that requests share, with 40 bodies of 4 MiB at once',
  async () => {
    const numbers = `[${'1,'.repeat(BODY_BYTES / 2 - 100)}1]`
    const text = JSON.stringify('x'.repeat(BODY_BYTES - 300))
    const lost = host.errors.length
    const bodies = Array.from({ length: 40 }, (_, nth) =>
      ask(
        KEYS.ada,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open","arguments":{"a":${nth % 2 ? numbers : text}}}}`,
      ),
    )
    const statuses = new Set((await Promise.all(bodies)).map(({ status }) => status))
    expect([...statuses]).toEqual([200])
    expect(host.errors.slice(lost)).toEqual([])
    expect((await ask(KEYS.bob, call('tools/list', {}))).status).toBe(200)
    return 'all are answered'
  },
  120_000,
)

// With the gateway in the sandbox, a mark has no effect.
if (inject('nativeGateway') !== '') {
  attack('carry the mark of a source of the host, to run code beside the components', async () => {
    const asGateway = await fetch(`${host.url}/forged/health`)
    // The host runs its own source, and not what is in the file.
    expect(await asGateway.text()).not.toContain('of the component')
    const asRemote = await fetch(`${host.url}/remote2/health`)
    expect(await asRemote.text()).not.toContain('of the component')
    const asTool = await fetch(`${host.url}/tool2/health`)
    expect(await asTool.json()).toEqual({ status: 'of the component' })
    return "the mark chooses one of the host's own sources"
  })
}
