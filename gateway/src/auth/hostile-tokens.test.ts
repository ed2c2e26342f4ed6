// Tokens and keys made to deceive or to exhaust the gateway. None may be accepted, and none may take long.
import { generateKeyPairSync, sign, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { base64Url, claimsAt, ISSUER, JWKS, PAIRS, signed, tokenWith } from '../testing/issuer.ts'
import { publicJwk } from './jwk.ts'

const PINNED = { ...BOTH, auth_issuers: JSON.stringify([{ issuer: ISSUER, jwks: JWKS }]) }
const now = Math.floor(Date.now() / 1000)
const claims = JSON.stringify(claimsAt(now))

async function statusOf(
  token: string,
  variables: Record<string, string> = PINNED,
): Promise<number> {
  const response = await authenticatedWorld(variables).get('/tools', token)
  const text = await response.text()
  if (token.length > 20) expect(text).not.toContain(token.slice(0, 20))
  return response.status
}

const withBody = (body: string) => tokenWith({ body })
const withClaims = (changed: object) => tokenWith({ claims: changed })
const withHeader = (header: object) => tokenWith({ header })
const ecJwk = PAIRS.ES256.publicJwk

/** The token is signed with the public key as the secret: the classic confusion of algorithms. */
function hmacToken(alg: string): string {
  const input = `${base64Url(JSON.stringify({ alg, kid: 'rsa' }))}.${base64Url(claims)}`
  const hmac = createHmac('sha256', JSON.stringify(PAIRS.RS256.publicJwk)).update(input).digest()
  return `${input}.${base64Url(hmac)}`
}

function ownKeyToken(header: object): string {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' })
  const input = `${base64Url(JSON.stringify({ alg: 'ES256', jwk, ...header }))}.${base64Url(claims)}`
  const signature = sign('sha256', Buffer.from(input), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `${input}.${base64Url(signature)}`
}

it('the token that all others differ from is accepted', async () => {
  expect(await statusOf(withBody(claims))).toBe(200)
})

describe('a token', () => {
  const hostile: [what: string, token: string][] = [
    ['without a signature', withBody(claims).replace(/[^.]+$/, '')],
    ['with the algorithm none', `${base64Url('{"alg":"none"}')}.${base64Url(claims)}.`],
    ['with the algorithm None', `${base64Url('{"alg":"None"}')}.${base64Url(claims)}.AA`],
    ['signed with the public key as a secret', hmacToken('HS256')],
    ['signed with a secret, and called RS256', hmacToken('RS256')],
    ['that brings its own key', ownKeyToken({})],
    ['that brings its own key with a known name', ownKeyToken({ kid: 'ec' })],
    [
      'that names an address of its key',
      ownKeyToken({ kid: 'ec', jku: 'https://evil.example/keys' }),
    ],
    [
      'that names a certificate',
      ownKeyToken({ kid: 'ec', x5u: 'https://evil.example', x5c: ['AA'] }),
    ],
    ['whose key id is a path', withHeader({ kid: '../../../../dev/null' })],
    ['whose key id is a query', withHeader({ kid: "x' UNION SELECT 'secret" })],
    ['whose key id is an object', withHeader({ kid: { toString: 'ec' } })],
    ['whose key id is a list', withHeader({ kid: ['ec'] })],
    ['of another algorithm than its key', withHeader({ alg: 'RS256' })],
    ['whose algorithm is inherited', withHeader({ alg: 'constructor' })],
    ['with a critical extension', withHeader({ crit: ['exp'] })],
    ['with an unencoded payload', withHeader({ b64: false, crit: ['b64'] })],
    ['that is an ID token', withHeader({ typ: 'id+jwt' })],
    ['that is a logout token', withHeader({ typ: 'logout+jwt' })],
    ['that is a proof of possession', withHeader({ typ: 'dpop+jwt' })],
    ['that is bound to a key', withClaims({ cnf: { jkt: 'x' } })],
    ['of another issuer', withClaims({ iss: 'https://issuer.example.evil.example' })],
    ['whose issuer is a list', withClaims({ iss: [ISSUER] })],
    ['for another server', withClaims({ aud: 'https://other.example/mcp' })],
    [
      'for a server whose name begins alike',
      withClaims({ aud: 'https://gateway.example/mcp.evil' }),
    ],
    [
      'for a server with a user name',
      withClaims({ aud: 'https://gateway.example@evil.example/mcp' }),
    ],
    ['for a path that leads here', withClaims({ aud: 'https://gateway.example/x/../mcp' })],
    ['for no server', withClaims({ aud: [] })],
    ['without a user', withClaims({ sub: undefined })],
    ['with an empty user', withClaims({ sub: '' })],
    ['with a user that is a number', withClaims({ sub: 7 })],
    ['with a user of 300 characters', withClaims({ sub: 'a'.repeat(300) })],
    ['with half a character', withBody(claims.replace('"ada"', '"\\ud800"'))],
    ['without an expiry', withClaims({ exp: undefined })],
    ['with an expiry as text', withClaims({ exp: String(now + 60) })],
    ['with an infinite expiry', withBody(claims.replace(`"exp":${now + 300}`, '"exp":1e999'))],
    ['that has expired', withClaims({ exp: now - 31 })],
    ['of the future', withClaims({ nbf: now + 60 })],
    ['issued in the future', withClaims({ iat: now + 60 })],
    [
      'with a repeated audience',
      withBody(claims.replace('{', '{"aud":"https://other.example/mcp",')),
    ],
    ['with a repeated user', withBody(claims.replace('}', ',"sub":"root"}'))],
    ['with a repeated user, once escaped', withBody(claims.replace('}', ',"\\u0073ub":"root"}'))],
    ['with a repeated name far inside', withBody(claims.replace('}', ',"a":[{"b":1,"b":2}]}'))],
    ['with claims in a list', withBody(`[${claims}]`)],
    ['with claims that are not JSON', withBody(`${claims} `.replace('{', '{,'))],
    ['with a byte order mark', withBody(`\uFEFF${claims}`)],
    ['with deep claims', withBody(claims.replace('}', `,"a":${'['.repeat(40)}${']'.repeat(40)}}`))],
    ['that is very long', withClaims({ a: 'x'.repeat(9000) })],
    ['with padding', `${withBody(claims)}==`],
    ['with a fourth part', `${withBody(claims)}.AA`],
    ['that is encrypted', `${withBody(claims)}.AA.AA`],
    ['that is empty', '.'],
    ['that is only dots', '..'],
  ]
  it.each(hostile)('%s is refused', async (_, token) => {
    expect([400, 401]).toContain(await statusOf(token))
  })

  it('of invalid UTF-8 is refused', async () => {
    const bytes = Buffer.concat([
      Buffer.from(claims.slice(0, -1)),
      Buffer.from(',"x":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ])
    const head = base64Url(JSON.stringify({ alg: 'ES256', kid: 'ec' }))
    expect(await statusOf(signed(`${head}.${base64Url(bytes)}`, 'ES256'))).toBe(401)
  })

  it('with another spelling of the same signature is refused', async () => {
    const token = withBody(claims)
    // 64 bytes leave four unused bits in the last character.
    const last = token.at(-1) ?? ''
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const twin = letters[letters.indexOf(last) + 1] ?? ''
    expect(Buffer.from(token.slice(0, -1) + twin, 'base64url')).toEqual(
      Buffer.from(token, 'base64url'),
    )
    expect(await statusOf(token.slice(0, -1) + twin)).toBe(401)
  })

  it('with names that objects inherit is no more than a token without scopes', async () => {
    const body = claims.replace('"scope":"tools"', '"__proto__":{"scope":"tools"}')
    expect(await statusOf(withBody(body), { ...PINNED, auth_scopes: 'tools' })).toBe(403)
  })
})

describe('a key', () => {
  const rsa = PAIRS.RS256.publicJwk
  const huge = base64Url(new Uint8Array(1024).fill(255))
  const bad: [what: string, key: Record<string, unknown>][] = [
    ['with a huge exponent', { ...rsa, e: huge }],
    ['with an even exponent', { ...rsa, e: 'AQAA' }],
    ['with the exponent 1', { ...rsa, e: 'AQ' }],
    ['with the exponent 0', { ...rsa, e: 'AA' }],
    ['without an exponent', { ...rsa, e: undefined }],
    ['with a huge modulus', { ...rsa, n: huge }],
    ['with a short modulus', { ...rsa, n: base64Url(new Uint8Array(128).fill(255)) }],
    ['with padding in the modulus', { ...rsa, n: `${String(rsa.n)}=` }],
    ['on another curve', { ...ecJwk, crv: 'P-384' }],
    ['with a short coordinate', { ...ecJwk, x: base64Url(new Uint8Array(31)) }],
    ['with a long coordinate', { ...ecJwk, x: base64Url(new Uint8Array(33)) }],
    ['that is symmetric', { kty: 'oct', k: 'c2VjcmV0' }],
    ['that is private', { ...ecJwk, d: ecJwk.x }],
    ['for encryption', { ...ecJwk, use: 'enc' }],
    ['that may not verify', { ...ecJwk, key_ops: ['encrypt'] }],
    ['whose name is an object', { ...ecJwk, kid: {} }],
    ['for signatures of another curve', { ...PAIRS.EdDSA.publicJwk, crv: 'X25519' }],
  ]
  it.each(bad)('%s is not used', (_, key) => {
    expect(publicJwk(key)).toBeUndefined()
  })

  it.each([
    ['zeros', new Uint8Array(32)],
    ['ones', new Uint8Array(32).fill(255)],
    ['a point beside the curve', new Uint8Array(32).fill(5)],
  ])('that is not on the curve verifies nothing: %s', async (_, x) => {
    const keys = [{ ...ecJwk, x: base64Url(x), y: base64Url(x) }]
    const issuers = JSON.stringify([{ issuer: ISSUER, jwks: { keys } }])
    expect(await statusOf(withBody(claims), { ...BOTH, auth_issuers: issuers })).toBe(401)
  })
})
