// The reason of a refused token in the operator's log: what the token has, what is expected, and which setting says so.
import { afterEach, beforeEach, expect, it, type Mock, vi } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { AUDIENCE, DOCUMENTS, ISSUER, JWKS_URL, tokenWith } from '../testing/issuer.ts'

let logged: Mock
beforeEach(() => void (logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)))
afterEach(() => vi.restoreAllMocks())

/** The lines of the log after a request with this token. */
async function linesFor(token: string, variables: Record<string, string> = BOTH) {
  const response = await authenticatedWorld(variables).get('/tools', token)
  const answer = `${response.headers.get('www-authenticate')} ${await response.text()}`
  return { status: response.status, answer, log: logged.mock.calls.map((parts) => parts.join(' ')) }
}

const CASES: [claims: object, header: object, reason: string][] = [
  [{ aud: 'account' }, {}, `aud is "account", expected ["${AUDIENCE}"] (auth_audience)`],
  [{ aud: undefined }, {}, `aud is missing, expected ["${AUDIENCE}"] (auth_audience)`],
  [{ iss: `${ISSUER}/` }, {}, `iss is "${ISSUER}/", expected ["${ISSUER}"]`],
  [{}, { alg: 'HS256' }, 'alg is "HS256", expected ["RS256",'],
  [{}, { kid: 'old' }, 'kid is "old", expected ["rsa","ec","ed"] (alg ES256)'],
  [{ nonce: 'x' }, {}, ''],
  [{ sub: undefined }, {}, 'sub is missing'],
]
it.each(CASES)('of %j and %j', async (claims, header, reason) => {
  const { status, answer, log } = await linesFor(
    tokenWith({ claims, header: { typ: 'JWT', ...header } }),
  )
  expect(status).toBe(401)
  expect(log).toHaveLength(1)
  expect(log[0]).toMatch(/^\[\S+\] a token is refused: The /)
  expect(log[0]).toContain(reason)
  // The client learns what is wrong, and nothing of the configuration.
  if (reason !== '') expect(answer).not.toContain(reason)
})

it('of an ID token names the setting', async () => {
  const { log } = await linesFor(tokenWith({ claims: { at_hash: 'x' }, header: { typ: 'JWT' } }))
  expect(log[0]).toContain('like_id_tokens (auth_issuers)')
})

it('of an opaque token says that it is one, and not what it is', async () => {
  const { log } = await linesFor('ory_at_0123456789abcdef')
  expect(log[0]).toContain('it is opaque')
  expect(log[0]).not.toContain('0123456789abcdef')
})

it('of missing scopes names auth_scopes', async () => {
  const { status, log } = await linesFor(tokenWith(), { ...BOTH, auth_scopes: 'tools admin' })
  expect(status).toBe(403)
  expect(log[0]).toContain('scope is ["tools"], expected ["tools","admin"] (auth_scopes)')
})

it('is one short line of ASCII, whatever the token has', async () => {
  const aud = `\u202e\u001b[2J\nforged line ${'x'.repeat(3000)}`
  const { log } = await linesFor(tokenWith({ claims: { aud } }))
  expect(log).toHaveLength(1)
  expect(log[0]).toMatch(/^[\x20-\x7e…]{20,700}$/)
})

it('of keys that cannot be requested names auth_host', async () => {
  const documents = { ...DOCUMENTS, [JWKS_URL]: () => Promise.reject(new TypeError('refused')) }
  const response = await authenticatedWorld(BOTH, documents).get('/tools', tokenWith())
  expect(response.status).toBe(503)
  expect(await response.text()).toContain('auth_host')
  expect(String(logged.mock.calls[0])).toContain(`auth_host must be ${ISSUER}`)
})

it('of a token that is accepted is not there', async () => {
  expect(await linesFor(tokenWith())).toMatchObject({ status: 200, log: [] })
})
