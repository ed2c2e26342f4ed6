// A sign-in succeeds only if the server accepts its token.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type OAuthServers, startOAuthServers, unauthorized } from '../testing/oauth-servers.ts'
import { signIn } from './sign-in.ts'
import { TokenStore } from './token-store.ts'

let servers: OAuthServers
let folder: string
let store: TokenStore
beforeEach(async () => {
  servers = await startOAuthServers()
  folder = await mkdtemp(join(tmpdir(), 'ftl-check-token-'))
  store = new TokenStore(join(folder, 'tokens'))
})
afterEach(async () => {
  await servers.close()
  await rm(folder, { recursive: true })
})

/** What the sign-in fails with, if the server answers a token so. */
async function failure(answer: ReturnType<typeof unauthorized>): Promise<string> {
  const first = servers.routes.get('/mcp')
  servers.routes.set('/mcp', (request) =>
    request.authorization === undefined ? (first?.(request) ?? {}) : answer,
  )
  return signIn(servers.server, { store, onAddress: (to) => void servers.browse(to) }).then(
    () => 'signed in',
    (error: Error) => error.message,
  )
}

it('a token that the server refuses is not stored, and the reason is said', async () => {
  const challenge =
    'error="invalid_token", error_description="The token was not issued for this server (aud)"'
  const message = await failure(unauthorized(challenge))
  expect(message).toContain(`${servers.issuer} gave a token, but ${new URL(servers.server).host}`)
  expect(message).toContain('The token was not issued for this server (aud). Another sign-in')
  expect(await store.all()).toEqual([])
})

it('a sign-in that fails so leaves the earlier one as it is', async () => {
  await signIn(servers.server, { store, onAddress: (to) => void servers.browse(to) })
  const before = await store.all()
  await failure(unauthorized(''))
  expect(await store.all()).toEqual(before)
})

it('scopes that were asked for and not granted are named', async () => {
  const challenge = 'error="insufficient_scope", scope="tools"'
  const token = servers.routes.get('/token')
  servers.routes.set('/token', (request) => {
    const { body } = token?.(request) ?? {}
    return { body: { ...Object(body), scope: 'profile' } as object }
  })
  const message = await failure({ ...unauthorized(challenge), status: 403 })
  expect(message).toMatch(/requires the scopes tools, and .* with the scopes profile$/)
  expect(await store.all()).toEqual([])
})

it('words of the server cannot act on a terminal', async () => {
  const message = await failure(unauthorized(`error_description="a${'\x9b'}2J ${'x'.repeat(900)}"`))
  expect(message).not.toMatch(/[\x00-\x1f\x7f-\x9f]/)
  expect(message.length).toBeLessThan(500)
})

it.each([200, 404, 405, 406, 500, 503])('status %i is no refusal', async (status) => {
  expect(await failure({ status })).toBe('signed in')
})

it('a token without some scopes is not reported as refused: the next sign-in can request them', async () => {
  const challenge = 'error="insufficient_scope", scope="tools admin"'
  expect(await failure({ ...unauthorized(challenge), status: 403 })).toBe('signed in')
})

it('a 403 for another reason is no refusal', async () => {
  expect(await failure({ status: 403 })).toBe('signed in')
})
