// Documents of clients: how often they are requested, and how many are kept.
import { beforeEach, describe, expect, it } from 'vitest'
import { createSealer } from '../crypto/seal.ts'
import { BACK, userEntry, World } from '../testing/world.ts'
import { MOST_DOCUMENTS, MOST_DOCUMENTS_OF_ADDRESS } from '../users/throttle.ts'
import { createVault } from '../vault.ts'
import { keepDocument } from './known-documents.ts'

const ID = 'https://client.example/c.json'
const MINUTE = 60_000

let world: World
/** Addresses that were requested. */
let requested: string[]
let headers: Record<string, string>
/** Instead of the document. */
let failure: Response | undefined

beforeEach(() => {
  world = new World({ auth_users: JSON.stringify([userEntry('ada')]) })
  requested = []
  headers = {}
  failure = undefined
  world.network = (url) => {
    requested.push(url)
    const document = { client_id: url, client_name: 'one', redirect_uris: [BACK] }
    return Promise.resolve(failure?.clone() ?? Response.json(document, { headers }))
  }
})

const statusOf = async (id = ID) => (await world.ask({ client_id: id })).response.status
const vaultOf = () =>
  createVault(
    () => world.platform.openKeyValue('default'),
    createSealer(world.variables['auth_server_key'] ?? ''),
  )
const keys = async () =>
  (await (await world.platform.openKeyValue('default')).keys()).filter((key) =>
    key.startsWith('auth:document:'),
  )

describe('a document', () => {
  it.each([
    ['that says nothing', undefined, 4, 6],
    ['with a time', 'public, max-age=1200', 19, 21],
    ['with a time that is too long', 'max-age=99999999', 59, 61],
    ['with a time among others', 's-maxage=1, max-age="60"', 0.9, 1.1],
  ])('%s is requested again after its time', async (_, control, before, after) => {
    if (control !== undefined) headers['cache-control'] = control
    const start = world.now
    expect(await statusOf()).toBe(200)
    world.now = start + before * MINUTE
    expect(await statusOf()).toBe(200)
    expect(requested).toHaveLength(1)
    world.now = start + after * MINUTE
    expect(await statusOf()).toBe(200)
    expect(requested).toHaveLength(2)
  })

  it.each(['no-store', 'no-cache', 'private, no-cache="x"', 'max-age=0'])(
    'with %s is requested each time',
    async (control) => {
      headers['cache-control'] = control
      await statusOf()
      await statusOf()
      expect(requested).toHaveLength(2)
      expect(await keys()).toEqual([])
    },
  )

  it('that was refused is not kept', async () => {
    failure = Response.json({ client_id: ID })
    expect(await statusOf()).toBe(400)
    failure = new Response(null, { status: 500 })
    expect(await statusOf()).toBe(400)
    failure = undefined
    expect(await statusOf()).toBe(200)
    expect(requested).toHaveLength(3)
  })

  it('is checked against the hosts that are allowed now', async () => {
    expect(await statusOf()).toBe(200)
    world.variables['auth_client_hosts'] = 'claude.ai'
    expect(await statusOf()).toBe(400)
  })
})

describe('a stranger', () => {
  it('cannot make this server request documents without limit', async () => {
    const statuses: number[] = []
    for (let at = 0; at <= MOST_DOCUMENTS_OF_ADDRESS; at++)
      statuses.push(await statusOf(`https://client.example/${at}`))
    expect(statuses.slice(-2)).toEqual([200, 429])
    expect(requested).toHaveLength(MOST_DOCUMENTS_OF_ADDRESS)
    // Another sender is not kept out, nor this one later.
    world.address = '198.51.100.7:50000'
    expect(await statusOf('https://client.example/other')).toBe(200)
    world.address = '192.0.2.1:50000'
    world.now += 15 * MINUTE
    expect(await statusOf('https://client.example/later')).toBe(200)
  })

  it('with many addresses cannot either', async () => {
    const used = { since: world.now, count: MOST_DOCUMENTS - 1 }
    await vaultOf().change('auth:documents:all', () => ({ value: used, result: undefined }))
    expect(await statusOf()).toBe(200)
    world.address = '203.0.113.9:50000'
    expect(await statusOf('https://client.example/new')).toBe(429)
    // This one is known.
    expect(await statusOf()).toBe(200)
    expect(requested).toEqual([ID])
  })

  it('fills no store', async () => {
    for (let at = 0; at < 600; at++) {
      const client = { id: `https://client.example/${at}`, name: '', redirectUris: [BACK] }
      await keepDocument(vaultOf(), client, { now: world.now, fresh: MINUTE })
    }
    const kept = (await keys()).length
    expect(kept).toBeGreaterThan(100)
    expect(kept).toBeLessThanOrEqual(256)
  })

  it('who has used up the requests does not end what is known', async () => {
    expect(await statusOf()).toBe(200)
    world.now += 6 * MINUTE
    failure = new Response(null, { status: 500 })
    for (let at = 0; at < MOST_DOCUMENTS_OF_ADDRESS; at++)
      await statusOf('https://client.example/no')
    expect(await statusOf()).toBe(200)
    failure = undefined
    world.now += 25 * 60 * MINUTE
    for (let at = 0; at < MOST_DOCUMENTS_OF_ADDRESS; at++) {
      failure = new Response(null, { status: 500 })
      await statusOf('https://client.example/x')
    }
    expect(await statusOf()).toBe(429)
  })
})
