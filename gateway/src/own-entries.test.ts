import { describe, expect, it } from 'vitest'
import { CATALOG_KEY } from './catalog/catalog-parts.ts'
import type { StoredCatalog } from './catalog/stored-catalog.ts'
import { keptJobKey } from './jobs/kept-jobs.ts'
import { createWorld, several, tool, type World } from './testing/components.ts'
import { JOB_ID, jobComponent, record, store } from './testing/job-component.ts'

const KEY = { request_state_key: 'sixteen characters and more' }
const LIST = { jsonrpc: '2.0', method: 'tools/list', id: 1 }
const FAR = 9e15

/** A store that other components can open, as on a bare Spin. */
const shared = (variables: Record<string, string> = {}) =>
  createWorld({
    components: { one: several([tool('real')]), images: jobComponent().component },
    variables: { own_store: '', catalog_ttl_ms: '5000', ...variables },
  })

const entries = ({ platform }: World) => platform.openKeyValue('default')

async function namesOf(world: World): Promise<string[]> {
  const { result } = (await world.rpc(LIST)) as { result: { tools: { name: string }[] } }
  return result.tools.map(({ name }) => name)
}

function forgedCatalog(askedAt: number): string {
  const offers = { tools: [tool('forged')], prompts: [], resources: [], resourceTemplates: [] }
  const published = { offers, callAt: ['/'], digest: '', problems: [] }
  return JSON.stringify({ one: { askedAt, published }, images: { askedAt, published } })
}

const get = (world: World, path: string) => world.send(new Request(`http://localhost:3000${path}`))

describe('with a key, what another component wrote into the store', () => {
  it('is no catalog', async () => {
    const world = shared(KEY)
    await (await entries(world)).set(CATALOG_KEY, forgedCatalog(Date.now()))
    expect(await namesOf(world)).toEqual(['real', 'generate_image'])
  })

  it('is no job', async () => {
    const world = shared(KEY)
    await store(world.platform, record())
    expect((await get(world, `/jobs/${JOB_ID}`)).status).toBe(404)
    expect(world.log).toEqual([])
  })

  it('is believed under the key alone under which the gateway wrote it', async () => {
    const world = shared(KEY)
    await namesOf(world)
    const kept = await entries(world)
    const catalog = (await kept.get(CATALOG_KEY)) as Uint8Array
    await kept.set(keptJobKey(JOB_ID), catalog)
    await kept.set(CATALOG_KEY, `${'A'.repeat(43)}=.${forgedCatalog(Date.now())}`)
    expect(await namesOf(world)).toEqual(['real', 'generate_image'])
  })

  it('does not keep the gateway from its own entries', async () => {
    const world = shared(KEY)
    await namesOf(world)
    world.log.length = 0
    expect(await namesOf(world)).toEqual(['real', 'generate_image'])
    expect(world.log).toEqual([])
  })
})

it('a catalog that was asked in the future is asked again', async () => {
  const world = shared()
  await (await entries(world)).set(CATALOG_KEY, forgedCatalog(FAR))
  expect(await namesOf(world)).toEqual(['real', 'generate_image'])
  const stored = JSON.parse(
    new TextDecoder().decode(await (await entries(world)).get(CATALOG_KEY)),
  ) as StoredCatalog
  expect(stored['one']?.askedAt).toBeLessThan(FAR)
})

describe('/health/components', () => {
  it.each([
    ['a shared store without a key', {}, true],
    ['a shared store with a key', KEY, false],
    ['a store of its own', { own_store: 'default' }, false],
  ])('of a gateway with %s: does it warn?', async (_, variables, warns) => {
    const response = await get(shared(variables), '/health/components')
    const { warning = '' } = (await response.json()) as { warning?: string }
    expect(warning.includes('request_state_key')).toBe(warns)
  })
})
