// What a tool writes into its store must not become what the gateway believes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attack } from './support/attack.ts'
import { type RunningApplication, startHostile } from './support/application.ts'
import { built } from './support/wat.ts'

const JOB_ID = 'd1eed89c-d2ff-427e-b5d2-cd004a668935'
const FAR = 9e15

const FORGED_CATALOG = JSON.stringify({
  echo: {
    askedAt: FAR,
    published: {
      offers: {
        tools: [{ name: 'forged', inputSchema: { type: 'object' } }],
        prompts: [],
        resources: [],
        resourceTemplates: [],
      },
      callAt: ['/'],
      digest: '',
      problems: [],
    },
  },
})

const FORGED_JOB = JSON.stringify({
  id: JOB_ID,
  component: 'victim',
  tool: 'x',
  status: 'working',
  seq: 1,
  pollIntervalMs: 50,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  expiresAt: new Date(FAR / 1000),
})

/** The gateway, a tool, and a guest that writes the key its address names. */
async function start(shares: boolean, variables: Record<string, string>) {
  const guest = await built('test/fidelity/guest')
  const shared = (id: string) => `[component.${id}.tool.ftl]\nshared_stores = ["default"]\n`
  return startHostile(
    {
      'mcp-gateway': {
        wasm: await built('mcp-gateway'),
        route: '/...',
        allowedHosts: ['http://*.spin.internal'],
        stores: ['default'],
        variables: { tool_components: 'echo', ...variables },
      },
      echo: { wasm: await built('echo'), route: false },
      victim: { wasm: guest, route: false },
      attacker: { wasm: guest, stores: ['default'] },
    },
    shares ? { toml: shared('mcp-gateway') + shared('attacker') } : {},
  )
}

let app: RunningApplication

async function kv(query: Record<string, string>): Promise<{ value: string | null }> {
  const response = await fetch(`${app.url}/attacker/kv?${new URLSearchParams(query)}`)
  return (await response.json()) as { value: string | null }
}

async function toolNames(): Promise<string[]> {
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', method: 'tools/list', id: 1 }),
  })
  const { result } = (await response.json()) as { result: { tools: { name: string }[] } }
  return result.tools.map(({ name }) => name)
}

async function warning(): Promise<string | undefined> {
  const response = await fetch(`${app.url}/health/components`)
  return ((await response.json()) as { warning?: string }).warning
}

async function forgeCatalog(): Promise<void> {
  await kv({ key: 'catalog:v3', set: FORGED_CATALOG })
  expect(await toolNames()).toEqual(['echo'])
}

async function forgeJob(): Promise<number> {
  await kv({ key: `job:${JOB_ID}`, set: FORGED_JOB })
  await kv({ key: `gateway:job:${JOB_ID}`, set: FORGED_JOB })
  return (await fetch(`${app.url}/jobs/${JOB_ID}`)).status
}

describe('where each component has its own store', () => {
  beforeAll(async () => void (app = await start(false, {})))
  afterAll(() => app.close())

  attack('a tool writes a catalog that is never asked again', async () => {
    await forgeCatalog()
    return 'the gateway does not see it'
  })

  attack('a tool reads the catalog and the key of the seals', async () => {
    await toolNames()
    expect(await kv({ key: 'catalog:v3', delete: '' })).toMatchObject({ value: null })
    expect(await kv({ key: 'catalog:v3' })).toMatchObject({ value: null })
    expect(await kv({ key: 'key:request-state' })).toMatchObject({ value: null })
    return 'no such entry'
  })

  attack('a tool makes up a job of a component of its choice', async () => {
    expect(await forgeJob()).toBe(404)
    return '404'
  })

  test('nothing is to be warned of', async () => {
    expect(await warning()).toBeUndefined()
  })
})

describe('where components share the store, as on a bare Spin, and the gateway has a key', () => {
  beforeAll(
    async () => void (app = await start(true, { request_state_key: 'a key of 16 or more' })),
  )
  afterAll(() => app.close())

  attack('a tool replaces the sealed catalog', async () => {
    await forgeCatalog()
    await toolNames()
    await forgeCatalog()
    return 'an entry without the right seal is ignored'
  })

  attack('a tool makes up a job in the shared store', async () => {
    expect(await forgeJob()).toBe(404)
    return '404'
  })

  test('nothing is to be warned of', async () => {
    expect(await warning()).toBeUndefined()
  })
})

describe('where components share the store and there is no key', () => {
  beforeAll(async () => void (app = await start(true, {})))
  afterAll(() => app.close())

  attack('a tool writes a catalog from the future into a store without seals', async () => {
    await forgeCatalog()
    return 'times from the future are refused'
  })

  test('the gateway says what is not protected', async () => {
    expect(await warning()).toContain('request_state_key')
  })
})
