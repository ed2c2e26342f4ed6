// How often strangers can make this server ask the upstream one.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Provider, signInThrough, UPSTREAM_VARIABLES } from '../testing/provider.ts'
import { ISSUER, nextOf, World } from '../testing/world.ts'
import { createScope } from '../scope.ts'
import {
  countVisit,
  MOST_VISITS,
  MOST_VISITS_OF_ADDRESS,
  MOST_VISITS_OF_KNOWN,
  MOST_VISITS_OF_SITE,
  whenAgain,
  WINDOW_MS,
} from '../users/throttle.ts'

let world: World
let provider: Provider
let id: string

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  world = new World(UPSTREAM_VARIABLES)
  provider = new Provider(world)
  ;({ id } = await world.register())
})

async function begin(): Promise<() => Promise<Response>> {
  const { request } = await world.ask({ client_id: id })
  return () => world.post('/auth/consent', { request, decision: 'upstream' })
}

/** @returns how many requests the upstream server got meanwhile. */
async function asked(work: () => Promise<unknown>): Promise<number> {
  const before = provider.requested.length
  await work()
  return provider.requested.length - before
}

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < count; time++) await work()
}

/** Strangers of so many addresses that all together have no more, as if each had sent its requests. */
const floodFromEverywhere = () => flood((visit) => `198.51.${Math.floor(visit / 10)}.1`)

/** @returns how many requests were allowed. */
async function flood(addressOf: (visit: number) => string): Promise<number> {
  const { vault } = createScope(new Request(ISSUER), world.platform)
  let allowed = 0
  for (let visit = 0; visit < MOST_VISITS + 10; visit++) {
    const address = addressOf(visit)
    const attempt = await countVisit(vault, world.now, { known: undefined, address })
    if (attempt.isAllowed) allowed++
  }
  return allowed
}

describe('an address', () => {
  it('that begins sign-ins again and again gets an answer, and the upstream server gets no request', async () => {
    const start = await begin()
    expect(await asked(() => times(MOST_VISITS_OF_ADDRESS, start))).toBe(MOST_VISITS_OF_ADDRESS)
    const before = provider.requested.length
    const response = await start()
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBe(WINDOW_MS / 1000)
    expect(await response.text()).toContain(
      'There were too many sign-ins. Try again in 15 minutes.',
    )
    expect(provider.requested.length).toBe(before)
    world.address = '203.0.113.7:1'
    expect((await start()).status).toBe(200)
  })

  it('that brings made-up codes gets an answer with a way back to its client', async () => {
    const address = await nextOf(await (await begin())())
    const state = address.searchParams.get('state') ?? ''
    const jar = [...world.jar]
    const callback = () => {
      for (const [name, value] of jar) world.jar.set(name, value)
      return world.visit(`/auth/callback?state=${state}&code=made-up`)
    }
    await times(MOST_VISITS_OF_ADDRESS - 1, async () => {
      expect((await callback()).status).toBe(403)
    })
    const before = provider.requested.length
    const last = await callback()
    expect(last.status).toBe(429)
    expect(await last.text()).toContain('Return to client.example')
    expect(provider.requested.length).toBe(before)
  })

  it('may begin again when the time has passed', async () => {
    const start = await begin()
    await times(MOST_VISITS_OF_ADDRESS + 1, start)
    world.now += WINDOW_MS
    expect((await (await begin())()).status).toBe(200)
  })
})

it.each([
  [1, 'Try again in a minute.'],
  [60, 'Try again in a minute.'],
  [61, 'Try again in 2 minutes.'],
])('after %i seconds: %s', (retryAfter, text) => {
  expect(whenAgain({ isAllowed: false, retryAfter })).toBe(text)
})

describe('all addresses together', () => {
  it('ask no more often than one limit', async () => {
    expect(await floodFromEverywhere()).toBe(MOST_VISITS)
    world.address = '203.0.113.7:1'
    expect((await (await begin())()).status).toBe(429)
  })

  it('are not used up by one sender with all addresses of an IPv6 network', async () => {
    const ofSite = (site: number) => (visit: number) => `2001:db8:${site}:${visit.toString(16)}`
    expect(await flood(ofSite(1))).toBe(MOST_VISITS_OF_SITE)
    world.address = '[2001:db8:1::1]:1'
    expect((await (await begin())()).status).toBe(429)
    expect(await flood(ofSite(2))).toBe(MOST_VISITS_OF_SITE)
    world.address = '[2001:db8:3::1]:1'
    expect((await (await begin())()).status).toBe(200)
  })

  it('do not keep out a user whose browser is known, who has a limit, too', async () => {
    expect((await signInThrough(world, provider, id)).status).toBe(200)
    await floodFromEverywhere()
    world.address = '203.0.113.7:1'
    expect((await signInThrough(world, provider, id)).status).toBe(200)
    const start = await begin()
    await times(MOST_VISITS_OF_KNOWN - 2, async () => expect((await start()).status).toBe(200))
    expect((await start()).status).toBe(429)
  })
})
