// DPoP (RFC 9449): tokens that are bound to a key, and right, wrong, copied and forged proofs.
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authenticatedWorld, type AuthenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { API_KEY, digestOf, ISSUER, JWKS, tokenWith } from '../testing/issuer.ts'

const VARIABLES = {
  ...BOTH,
  auth_issuers: JSON.stringify([{ issuer: ISSUER, jwks: JWKS }]),
  auth_dpop: 'true',
}
/** `auth_audience` without `/mcp`. */
const ORIGIN = 'https://gateway.example'

interface Key {
  privateKey: CryptoKey
  jwk: JWK
  jkt: string
  alg: string
}

async function keyFor(alg: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = await exportJWK(publicKey)
  return { privateKey, jwk, alg, jkt: await calculateJwkThumbprint(jwk) }
}

let key: Key
let stranger: Key
beforeAll(async () => {
  ;[key, stranger] = [await keyFor('ES256'), await keyFor('ES256')]
})

let world: AuthenticatedWorld
beforeEach(() => {
  world = authenticatedWorld(VARIABLES)
})

const bound = ({ jkt }: Key = key, cnf: object = { jkt }) => tokenWith({ claims: { cnf } })
const now = () => Math.floor(Date.now() / 1000)
let count = 0

interface Proof {
  key?: Key
  header?: object
  claims?: object
}

async function proofOf(token: string, { key: by = key, header, claims }: Proof = {}) {
  const ath = Buffer.from(digestOf(token), 'hex').toString('base64url')
  const usual = { htm: 'GET', htu: `${ORIGIN}/whoami`, jti: `id-${count++}`, iat: now(), ath }
  return new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: by.alg, jwk: by.jwk, ...header })
    .sign(by.privateKey)
}

const send = (token: string, proof: string | undefined, scheme = 'DPoP', path = '/whoami') =>
  world.get(path, undefined, {
    headers: {
      authorization: `${scheme} ${token}`,
      ...(proof !== undefined && { dpop: proof }),
    },
  })

describe('a token that is bound to a key', () => {
  it.each(['ES256', 'RS256', 'PS256', 'EdDSA', 'ES384'])(
    'is accepted with a proof by %s, also the second time',
    async (alg) => {
      const own = await keyFor(alg)
      const token = bound(own)
      for (let time = 0; time < 2; time++) {
        const answer = await send(token, await proofOf(token, { key: own }))
        expect(answer.status).toBe(200)
        expect(await answer.json()).toMatchObject({ user: 'ada' })
      }
    },
  )

  it('is refused as a bearer token, with and without a proof', async () => {
    const token = bound()
    for (const proof of [undefined, await proofOf(token)]) {
      const answer = await send(token, proof, 'Bearer')
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*, DPoP algs="[^"]*ES256/)
    }
  })

  it('is refused if it is bound to something else, too, or by an unreadable key', async () => {
    const { jkt } = key
    for (const cnf of [{ jkt, 'x5t#S256': 'x' }, { 'x5t#S256': 'x' }, { jkt: 'short' }, {}]) {
      const token = bound(key, cnf)
      expect((await send(token, await proofOf(token))).status).toBe(401)
    }
  })

  it('is refused where auth_dpop is not true', async () => {
    world = authenticatedWorld({ ...VARIABLES, auth_dpop: 'false' })
    const token = bound()
    const answer = await send(token, await proofOf(token))
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).not.toContain('DPoP')
    expect((await send(tokenWith(), undefined, 'Bearer')).status).toBe(200)
  })
})

describe('a proof is refused', () => {
  it.each<[string, () => Proof]>([
    ['by another key', () => ({ key: stranger })],
    ['by another key than its header has', () => ({ key: { ...stranger, jwk: key.jwk } })],
    ['for another method', () => ({ claims: { htm: 'POST' } })],
    ['for another path', () => ({ claims: { htu: `${ORIGIN}/mcp` } })],
    ['for another host', () => ({ claims: { htu: 'https://other.example/whoami' } })],
    ['without an address', () => ({ claims: { htu: undefined } })],
    ['for another token', () => ({ claims: { ath: 'x'.repeat(43) } })],
    ['for no token', () => ({ claims: { ath: undefined } })],
    ['without an id', () => ({ claims: { jti: undefined } })],
    ['with an empty id', () => ({ claims: { jti: '' } })],
    ['with a long id', () => ({ claims: { jti: 'x'.repeat(300) } })],
    ['without a time', () => ({ claims: { iat: undefined } })],
    ['that is old', () => ({ claims: { iat: now() - 120 } })],
    ['of the future', () => ({ claims: { iat: now() + 120 } })],
    ['of another type', () => ({ header: { typ: 'JWT' } })],
    ['without a type', () => ({ header: { typ: undefined } })],
    ['without a key', () => ({ header: { jwk: undefined } })],
    ['with a private key', () => ({ header: { jwk: { ...key.jwk, d: 'x'.repeat(43) } } })],
  ])('%s', async (_, proof) => {
    const token = bound()
    const answer = await send(token, await proofOf(token, proof()))
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('DPoP error="invalid_dpop_proof"')
    // The same token is still good.
    expect((await send(token, await proofOf(token))).status).toBe(200)
  })

  it('that is missing, there twice, or no JSON Web Token', async () => {
    const token = bound()
    const two = `${await proofOf(token)}, ${await proofOf(token)}`
    for (const proof of [undefined, '', 'x', 'a.b.c', two, token])
      expect((await send(token, proof)).status).toBe(401)
  })

  it('that was used before, while it is good', async () => {
    const token = bound()
    const proof = await proofOf(token)
    expect((await send(token, proof)).status).toBe(200)
    expect((await send(token, proof)).status).toBe(401)
    const both = await proofOf(token)
    const statuses = await Promise.all([send(token, both), send(token, both)])
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it('with a signature of another proof', async () => {
    const token = bound()
    const [one, other] = [await proofOf(token), await proofOf(token)]
    const forged = [...one.split('.').slice(0, 2), other.split('.')[2]].join('.')
    expect((await send(token, forged)).status).toBe(401)
  })
})

it('a proof is not forgotten when its place is filled with others, and other places take new ones', async () => {
  const token = bound()
  const id = 'the first'
  const proof = await proofOf(token, { claims: { jti: id } })
  expect((await send(token, proof)).status).toBe(200)
  const placeOf = (jti: string) => digestOf(`${key.jkt} ${jti}`).slice(0, 3)
  let tries = 0
  let taken = 0
  let refused = 0
  while (refused === 0 && taken < 200) {
    let jti = `${tries++}`
    while (placeOf(jti) !== placeOf(id)) jti = `${tries++}`
    const other = await proofOf(token, { claims: { jti } })
    if ((await send(token, other)).status === 200) taken++
    else refused++
  }
  expect(taken).toBeGreaterThan(50)
  expect(refused).toBe(1)
  expect((await send(token, proof)).status).toBe(401)
  expect((await send(token, await proofOf(token))).status).toBe(200)
})

it('the address may have a query and a host in capitals', async () => {
  const token = bound()
  const claims = { htu: 'https://GATEWAY.example:443/whoami?x=1#y' }
  expect((await send(token, await proofOf(token, { claims }))).status).toBe(200)
})

it('behind a proxy with a path, the address is the one that clients use', async () => {
  const audience = 'https://gateway.example/team/mcp'
  world = authenticatedWorld({ ...VARIABLES, auth_audience: audience })
  const token = tokenWith({ claims: { aud: audience, cnf: { jkt: key.jkt } } })
  const proof = (htu: string) => proofOf(token, { claims: { htu } })
  expect((await send(token, await proof(`${ORIGIN}/team/whoami`))).status).toBe(200)
  expect((await send(token, await proof(`${ORIGIN}/whoami`))).status).toBe(401)
})

it('a token that is bound to nothing is a bearer token, with or without a proof', async () => {
  const token = tokenWith()
  const proof = await proofOf(token)
  expect((await send(token, proof)).status).toBe(401)
  expect((await send(token, proof, 'Bearer')).status).toBe(200)
  expect((await send(API_KEY, proof)).status).toBe(401)
  expect((await send(API_KEY, undefined, 'Bearer')).status).toBe(200)
  expect((await send('', undefined)).status).toBe(400)
})

it('the metadata says which algorithms proofs may have', async () => {
  const metadata = await world.get('/.well-known/oauth-protected-resource')
  expect(await metadata.json()).toMatchObject({
    dpop_signing_alg_values_supported: expect.arrayContaining(['ES256']) as string[],
  })
  world = authenticatedWorld({ ...VARIABLES, auth_dpop: '' })
  const without = await world.get('/.well-known/oauth-protected-resource')
  expect(await without.json()).not.toHaveProperty('dpop_signing_alg_values_supported')
})

it('a wrong setting is an error of the operator', async () => {
  world = authenticatedWorld({ ...VARIABLES, auth_dpop: 'yes' })
  const token = bound()
  expect((await send(token, await proofOf(token))).status).toBe(500)
})
