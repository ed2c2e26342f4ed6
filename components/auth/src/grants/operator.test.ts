// What an operator asks, and who is none.
import { beforeEach, describe, expect, it } from 'vitest'
import { createSealer, type Purpose } from '../crypto/seal.ts'
import { claimsOf, type Json, userEntry, World } from '../testing/world.ts'

let world: World
let id: string

beforeEach(async () => {
  world = new World({ auth_users: JSON.stringify([userEntry('ada'), userEntry('eve')]) })
  ;({ id } = await world.register({ client_name: 'one' }))
})

interface Sealing {
  key?: string
  purpose?: Purpose
  place?: string
  /** Milliseconds from now. */
  valid?: number
}

async function sealed(question: Json, sealing: Sealing = {}): Promise<string> {
  const { purpose = 'operator', place = 'request', valid = 60_000 } = sealing
  const { key = world.variables['auth_server_key'] ?? '' } = sealing
  const value = { ...question, until: world.now + valid }
  return createSealer(key).seal(purpose, value, place)
}

const post = (body: string): Promise<Response> =>
  world.send('/auth/operator', { method: 'POST', body })

const send = async (question: Json, sealing?: Sealing) => post(await sealed(question, sealing))

/** @returns `undefined` if the answer is not one to this request. */
const opened = (answer: string, request: string) =>
  createSealer(world.variables['auth_server_key'] ?? '').open(
    'operator',
    answer,
    `answer ${request}`,
  )

async function ask(question: Json): Promise<Json> {
  const request = await sealed(question)
  const response = await post(request)
  expect(response.status).toBe(200)
  return (await opened(await response.text(), request)) as Json
}

const signIn = async (client: string) =>
  (await world.redeem(client, await world.code({ client_id: client, scope: 'math' }))).body

interface Listed {
  sub: string
  grants: { client: string; name: string; signIns: { scopes: string[] }[] }[]
}
const usersOf = async (question: Json = {}) => (await ask(question))['users'] as Listed[]

describe('an operator', () => {
  it('sees the users, their clients and what these may do', async () => {
    await signIn(id)
    const users = await usersOf()
    expect(users).toMatchObject([
      { sub: 'ada', grants: [{ name: 'one', place: 'client.example' }] },
    ])
    expect(users[0]?.grants[0]?.signIns[0]?.scopes).toEqual(['tools', 'math'])
    expect(await usersOf({ user: 'ada' })).toHaveLength(1)
    expect(await usersOf({ user: 'eve' })).toEqual([])
  })

  it('removes one client of a user, or all: none of them can renew a token', async () => {
    const { id: other } = await world.register({ client_name: 'other' })
    const [first, second] = [await signIn(id), await signIn(other)]
    expect(claimsOf(first['access_token'])['sub']).toBe('ada')
    const client = (await usersOf())[0]?.grants.find(({ name }) => name === 'one')?.client
    const { removed } = await ask({ revoke: true, user: 'ada', client: client ?? '' })
    expect(removed).toEqual([{ client, name: 'one', place: 'client.example' }])
    expect((await world.refresh(id, first['refresh_token'])).status).toBe(400)
    const renewed = await world.refresh(other, second['refresh_token'])
    expect(renewed.status).toBe(200)
    await ask({ revoke: true, user: 'ada' })
    expect((await world.refresh(other, renewed.body['refresh_token'])).status).toBe(400)
    expect((await usersOf()).flatMap(({ grants }) => grants)).toEqual([])
  })

  it('opens an answer with its own request only', async () => {
    const [request, other] = [await sealed({}), await sealed({})]
    const answer = await (await post(request)).text()
    expect(await opened(answer, request)).toEqual({ users: [], isWhole: true })
    expect(await opened(answer, other)).toBeUndefined()
  })

  it('removes nothing of a user or client that there is not', async () => {
    const { refresh_token: token } = await signIn(id)
    for (const question of [{ user: 'eve' }, {}, { user: 'ada', client: 'x' }])
      expect(await ask({ revoke: true, ...question })).toEqual({ removed: [] })
    expect((await world.refresh(id, token)).status).toBe(200)
  })
})

describe('a request is refused', () => {
  it.each<[string, Sealing]>([
    ['with another key', { key: 'another secret of at least 32 characters' }],
    ['sealed for another purpose', { purpose: 'session' }],
    ['that is an answer', { place: 'answer' }],
    ['that has expired', { valid: 0 }],
    ['that would be valid for long', { valid: 11 * 60_000 }],
  ])('%s', async (_, sealing) => {
    const { refresh_token: token } = await signIn(id)
    expect((await send({ revoke: true, user: 'ada' }, sealing)).status).toBe(403)
    expect((await world.refresh(id, token)).status).toBe(200)
  })

  it('without a seal, or too long', async () => {
    for (const body of ['', '{}', 'x'.repeat(5_000)])
      expect((await world.send('/auth/operator', { method: 'POST', body })).status).toBe(403)
    expect((await world.send('/auth/operator')).status).toBe(405)
  })

  it('with what a user or client gets from this server', async () => {
    const body = await signIn(id)
    const code = await world.code({ client_id: id })
    const session = [...world.jar.values()]
    for (const text of [id, String(body['refresh_token']), code, ...session])
      expect((await world.send('/auth/operator', { method: 'POST', body: text })).status).toBe(403)
  })
})
