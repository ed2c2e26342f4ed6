// Who can try pass phrases how often, and what the answers tell.
import { describe, expect, it } from 'vitest'
import { userEntry, World } from '../testing/world.ts'
import { senderOf } from './address.ts'
import { LEAST_ITERATIONS, parseUsers } from './local-users.ts'
import { userOrStandIn } from './pass-phrase.ts'
import { MOST_OF_ADDRESS, MOST_OF_KNOWN, MOST_OF_USER } from './throttle.ts'

describe('attempts are counted', () => {
  it.each([
    ['for an address without its port', '192.0.2.1:4711', undefined, '192.0.2.1'],
    ['for a network of IPv6', '[2001:db8:1:2:3:4:5:6]:4711', undefined, '2001:db8:1:2'],
    ['for the same without brackets', '2001:db8:1:2:aaaa::1:4711', undefined, '2001:db8:1:2'],
    ['for a short address', '[2001:db8::1]:4711', undefined, '2001:db8:0:0'],
    ['for IPv4 in IPv6', '[::ffff:192.0.2.1]:4711', undefined, '192.0.2.1'],
    ['for what the host says', '10.0.0.1:1, 192.0.2.1:4711', undefined, '192.0.2.1'],
    ['for a component', '127.0.0.1:1, 0.0.0.0:0', '192.0.2.9', '0.0.0.0'],
    ['of the client behind a proxy', '127.0.0.1:4711', '6.6.6.6, 192.0.2.1', '192.0.2.1'],
    ['of the client behind a proxy at ::1', '[::1]:4711', '192.0.2.1:55', '192.0.2.1'],
    ['for a network that a proxy serves', '127.0.0.1:4711', '2001:db8::1:2:3:4', '2001:db8:0:0'],
    ['and not for whom a stranger claims to serve', '192.0.2.1:4711', '6.6.6.6', '192.0.2.1'],
    ['for a program of this machine', '127.0.0.1:4711', undefined, '127.0.0.1'],
  ])('%s', (_, peer, served, expected) => {
    const headers = new Headers({ 'spin-client-addr': peer })
    if (served !== undefined) headers.set('x-forwarded-for', served)
    expect(senderOf(headers)).toBe(expected)
  })
})

/** For this one, no digest is computed. */
const TOO_LONG = 'x'.repeat(1_025)

async function guessing(users: object[]) {
  const world = new World({ auth_users: JSON.stringify(users) })
  const { id } = await world.register()
  const { request } = await world.ask({ client_id: id })
  const guess = async (user: string) =>
    (await world.consent({ request, user, pass_phrase: TOO_LONG })).status
  return { world, request, guess }
}

describe('a name', () => {
  it('that no user has gets the same answers as one that a user has', async () => {
    const { world, guess } = await guessing([userEntry('ada')])
    for (let time = 0; time < MOST_OF_USER; time++) {
      world.address = `192.0.2.${Math.floor(time / MOST_OF_ADDRESS)}:1`
      expect(await guess('nobody')).toBe(401)
    }
    world.address = '192.0.2.255:1'
    for (const user of ['nobody', 'ada', 'another']) expect(await guess(user), user).toBe(429)
  })

  it('takes as many iterations as that of a user', () => {
    const entries = [userEntry('ada'), userEntry('eve', LEAST_ITERATIONS + 1)]
    const users = parseUsers(JSON.stringify(entries), (problem) => {
      throw new Error(problem)
    })
    expect(userOrStandIn(users, 'eve')?.name).toBe('eve')
    const names = Array.from({ length: 20 }, (_, index) => `nobody${index}`)
    const found = names.map((name) => userOrStandIn(users, name)?.name)
    expect(new Set(found)).toEqual(new Set(['ada', 'eve']))
    expect(names.map((name) => userOrStandIn(users, name)?.name)).toEqual(found)
    expect(userOrStandIn([], 'ada')).toBeUndefined()
  })

  it('is not guessed from one network so often that its user is kept out', async () => {
    const { world, request, guess } = await guessing([userEntry('ada')])
    for (let time = 0; time < MOST_OF_USER + 10; time++) {
      world.address = `[2001:db8::${time.toString(16)}]:1`
      await guess('ada')
    }
    expect(await guess('ada')).toBe(429)
    world.address = '192.0.2.1:1'
    expect((await world.consent({ request })).status).toBe(200)
  })
})

describe('a browser in which a user has signed in', () => {
  async function known() {
    const world = new World({ auth_users: JSON.stringify([userEntry('ada'), userEntry('eve')]) })
    const { id } = await world.register()
    const { request } = await world.ask({ client_id: id })
    expect((await world.consent({ request })).status).toBe(200)
    const jar = [...world.jar]
    /** Strangers use up the attempts of the user and of the address. */
    const flood = async () => {
      world.jar.clear()
      const { id: client } = await world.register()
      const { request: other } = await world.ask({ client_id: client })
      for (let time = 0; time < MOST_OF_USER; time++) {
        world.address = `192.0.2.${Math.floor(time / MOST_OF_ADDRESS) + 1}:1`
        await world.consent({ request: other, pass_phrase: TOO_LONG })
      }
      world.address = '192.0.2.1:1'
      expect((await world.consent({ request: other })).status).toBe(429)
      world.jar.clear()
      for (const [name, value] of jar) world.jar.set(name, value)
    }
    return { world, request, flood }
  }

  it('lets this user in, however often strangers have tried', async () => {
    const { world, request, flood } = await known()
    await flood()
    expect((await world.consent({ request })).status).toBe(200)
  })

  it('does not let another user in, and remembers nothing for ever', async () => {
    const { world, request, flood } = await known()
    await flood()
    expect((await world.consent({ request, user: 'eve' })).status).toBe(429)
    world.now += 90 * 86_400_000
    await flood()
    const { id } = await world.register()
    const { request: next } = await world.ask({ client_id: id })
    expect((await world.consent({ request: next })).status).toBe(429)
  })

  it('has attempts of its own that end, too', async () => {
    const { world, request, flood } = await known()
    await flood()
    const statuses: number[] = []
    for (let time = 0; time < MOST_OF_KNOWN + 1; time++)
      statuses.push((await world.consent({ request, pass_phrase: TOO_LONG })).status)
    expect(statuses.slice(-2)).toEqual([401, 429])
  })
})
