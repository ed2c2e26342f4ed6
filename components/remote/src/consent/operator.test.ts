// An operator signs a user out, with a code that only `remote_key` makes.
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { GATEWAY, ISSUER, startWorld } from './testing/world.ts'

const KEY = 'a-key-for-tests-of-32-characters!'

interface Asked {
  server?: unknown
  user?: unknown
  at?: unknown
  key?: string
}

/** As `ftl logout --server NAME --user PRINCIPAL`. */
function body({ server = 'tracker', user = 'ann', at = Date.now(), key = KEY }: Asked = {}) {
  const covered = JSON.stringify(['ftl-remote', 'sign-out', server, user, at])
  const code = createHmac('sha256', key).update(covered).digest('base64url')
  return JSON.stringify({ server, user, at, code })
}

async function signedIn() {
  const revoked: string[] = []
  const world = startWorld({
    metadata: { revocation_endpoint: `${ISSUER}/token` },
    token: (form) => {
      const token = form.get('token')
      if (token === null) return undefined
      revoked.push(token)
      return new Response(null, { status: 200 })
    },
  })
  await world.signIn('ann', { code: 'of-ann' })
  await world.signIn('bob', { code: 'of-bob' })
  const send = async (text: string) => {
    const headers = { 'spin-client-addr': '203.0.113.7:4711' }
    const url = `${GATEWAY}/connect/sign-out`
    return world.send(new Request(url, { method: 'POST', headers, body: text }))
  }
  const isSignedIn = async (user: string) => (await world.call(user, 'whoami')).isError !== true
  return { send, isSignedIn, revoked, world }
}

describe('the operator', () => {
  it('signs one user out, whose tokens are revoked', async () => {
    const { send, isSignedIn, revoked } = await signedIn()
    const response = await send(body())
    expect(await response.json()).toEqual({
      server: 'tracker',
      user: 'ann',
      revocation: 'revoked',
    })
    expect(revoked).toContain('token-of-of-ann')
    expect(await isSignedIn('ann')).toBe(false)
    expect(await isSignedIn('bob')).toBe(true)
    expect(await (await send(body())).json()).toMatchObject({ revocation: 'none' })
  })

  it.each([-299_000, 299_000])('has a clock that differs by %i ms', async (apart) => {
    const { send } = await signedIn()
    expect((await send(body({ at: Date.now() + apart }))).status).toBe(200)
  })

  it('learns that there is no such server', async () => {
    const { send } = await signedIn()
    expect((await send(body({ server: 'other' }))).status).toBe(404)
  })
})

describe('a stranger cannot sign a user out', () => {
  const signed = body()
  it.each([
    ['with another key', body({ key: 'another-key-of-at-least-32-characters' })],
    ['with the code for another user', signed.replace('"ann"', '"bob"')],
    ['with an old code', body({ at: Date.now() - 360_000 })],
    ['with a code for later', body({ at: Date.now() + 360_000 })],
    ['with the code for another server', signed.replace('"tracker"', '"other"')],
    ['with a user of another case', signed.replace('"ann"', '"Ann"')],
    [
      'with parts of the user in the server',
      signed.replace('"tracker","user":"ann"', '"track","user":"erann"'),
    ],
    ['with the time as a text', signed.replace(/"at":(\d+)/, '"at":"$1"')],
    ['with a cut code', signed.replace(/.{4}"}$/, '"}')],
    ['with an empty code', signed.replace(/"code":".*"/, '"code":""')],
    ['without a code', JSON.stringify({ server: 'tracker', user: 'ann', at: Date.now() })],
    ['with an odd code', JSON.stringify({ server: 'tracker', user: 'ann', at: 1, code: '§' })],
    ['with a time that is not one', body({ at: 'now' })],
    ['with members of other types', body({ user: { length: 3 } })],
    ['without JSON', 'x'],
    ['with null', 'null'],
  ])('%s', async (_, text) => {
    const { send, isSignedIn } = await signedIn()
    expect((await send(text)).status).toBe(403)
    for (const user of ['ann', 'bob']) expect(await isSignedIn(user)).toBe(true)
  })

  it('also where the operator has set no key, with which an empty one would do', async () => {
    const world = startWorld({ variables: { remote_key: '' } })
    const init = { method: 'POST', headers: { 'spin-client-addr': '203.0.113.7:4711' } }
    const text = body({ key: ' ' }).replace(/"code":".*"/, '"code":""')
    const sent = new Request(`${GATEWAY}/connect/sign-out`, { ...init, body: text })
    expect((await world.send(sent)).status).toBe(404)
  })

  it('with a body without end', async () => {
    const { send } = await signedIn()
    expect((await send('x'.repeat(100_000))).status).toBe(413)
  })
})
