// Every verdict about a token is compared with that of jose, on tokens that are valid, almost valid and hostile.
import fc from 'fast-check'
import * as jose from 'jose'
import { describe, expect, it } from 'vitest'
import { memoryPlatform } from 'ftl-platform/memory'
import { shippedScope } from '../testing/shipped-scope.ts'
import {
  AUDIENCE,
  base64Url,
  claimsAt,
  ISSUER,
  JWKS,
  MORE_PAIRS,
  pairFor,
  PAIRS,
  signed,
} from '../testing/issuer.ts'
import { ALGORITHMS } from './jwk.ts'
import { verifyToken } from './verify-token.ts'

const NOW = 1_800_000_000
const LEEWAY = 30

async function ours(token: string, keys: object[] = JWKS.keys): Promise<string> {
  const variables = {
    auth_issuers: JSON.stringify([{ issuer: ISSUER, jwks: { keys } }]),
    auth_leeway_ms: String(LEEWAY * 1000),
  }
  const scope = shippedScope(memoryPlatform({ variables, now: () => NOW * 1000 }), 'id')
  try {
    const { caller } = await verifyToken(scope, token, [AUDIENCE])
    return `accepted ${caller.subject}`
  } catch (error) {
    expect((error as Error).name).toBe('InvalidToken')
    return 'refused'
  }
}

async function theirs(token: string, keys: object[] = JWKS.keys): Promise<string> {
  try {
    // jose compares iat with the clock only if there is a longest age.
    const hasIat = 'iat' in jose.decodeJwt(token)
    const { payload } = await jose.jwtVerify(token, jose.createLocalJWKSet({ keys: keys }), {
      issuer: ISSUER,
      audience: AUDIENCE,
      algorithms: [...ALGORITHMS],
      clockTolerance: LEEWAY,
      currentDate: new Date(NOW * 1000),
      requiredClaims: ['exp', 'sub'],
      ...(hasIat && { maxTokenAge: Number.MAX_SAFE_INTEGER }),
    })
    return `accepted ${payload.sub}`
  } catch {
    return 'refused'
  }
}

const times = fc.oneof(
  fc.integer({ min: NOW - 100, max: NOW + 100 }),
  fc.constantFrom<unknown>(
    NOW - LEEWAY,
    NOW + LEEWAY,
    NOW + 31,
    NOW - 31,
    0,
    -1,
    1e15,
    NOW + 0.5,
    '1',
    null,
    true,
    [],
  ),
)
const absent = Symbol('absent')
const orAbsent = (some: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(absent) }, { weight: 3, arbitrary: some })
const audiences = fc.oneof(
  { weight: 4, arbitrary: fc.constant<unknown>(AUDIENCE) },
  fc.constantFrom<unknown>(
    'https://other.example/mcp',
    `${AUDIENCE}/`,
    '',
    [],
    [AUDIENCE],
    ['x', AUDIENCE],
    1,
    null,
    {},
  ),
)
const claims = fc.record({
  iss: fc.oneof(
    { weight: 6, arbitrary: fc.constant<unknown>(ISSUER) },
    fc.constantFrom<unknown>(`${ISSUER}/`, 'x', 1, null),
  ),
  aud: audiences,
  exp: fc.oneof({ weight: 3, arbitrary: fc.constant<unknown>(NOW + 60) }, orAbsent(times)),
  nbf: orAbsent(times),
  iat: orAbsent(times),
  sub: fc.oneof(
    { weight: 4, arbitrary: fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }) },
    fc.constantFrom<unknown>('ada', 'äda', '𝒜', '__proto__', absent),
  ),
})
const algs = fc.constantFrom('RS256' as const, 'ES256' as const, 'EdDSA' as const)
const everyAlg = fc.constantFrom(...ALGORITHMS.filter((each) => each !== 'Ed25519'))
const EVERY_KEY = [...JWKS.keys, ...Object.values(MORE_PAIRS).map(({ publicJwk }) => publicJwk)]
const headers = fc.record({
  alg: orAbsent(
    fc.constantFrom<unknown>(
      'RS256',
      'ES256',
      'EdDSA',
      'none',
      'HS256',
      'PS256',
      'ES384',
      'es256',
      null,
      1,
    ),
  ),
  kid: orAbsent(
    fc.constantFrom<unknown>('rsa', 'ec', 'ed', 'unknown', '../../keys', "' OR 1=1", ''),
  ),
})

function clean(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== absent))
}

const isNightly = process.env['FTL_TEST_NIGHTLY'] !== undefined
const RUNS = Number(process.env['FTL_FUZZ_RUNS'] ?? (isNightly ? 1_000 : 120))

describe('the verdict is that of jose', () => {
  it('about claims', async () => {
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(algs, claims, async (alg, some) => {
        const head = base64Url(JSON.stringify({ alg, kid: PAIRS[alg].publicJwk.kid }))
        const token = signed(`${head}.${base64Url(JSON.stringify(clean(some)))}`, alg)
        const verdict = await ours(token)
        expect(verdict).toBe(await theirs(token))
        if (verdict !== 'refused') accepted++
      }),
      { numRuns: RUNS },
    )
    // Otherwise it would compare refusals only.
    expect(accepted).toBeGreaterThan(RUNS / 50)
  })

  it('about headers, whichever key signed', async () => {
    const body = base64Url(JSON.stringify(claimsAt(NOW)))
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(algs, headers, async (signer, some) => {
        const token = signed(`${base64Url(JSON.stringify(clean(some)))}.${body}`, signer)
        const verdict = await ours(token)
        expect(verdict).toBe(await theirs(token))
        if (verdict !== 'refused') accepted++
      }),
      { numRuns: RUNS },
    )
    expect(accepted).toBeGreaterThan(0)
  })

  it('about algorithms, whichever of them the header names', async () => {
    const body = base64Url(JSON.stringify(claimsAt(NOW)))
    const accepted = new Set<string>()
    await fc.assert(
      fc.asyncProperty(everyAlg, everyAlg, fc.boolean(), async (signer, other, isOther) => {
        const alg = isOther ? other : signer
        const head = base64Url(JSON.stringify({ alg, kid: pairFor(signer).publicJwk.kid }))
        const token = signed(`${head}.${body}`, signer)
        const verdict = await ours(token, EVERY_KEY)
        expect(verdict).toBe(await theirs(token, EVERY_KEY))
        if (verdict !== 'refused') accepted.add(alg)
      }),
      { numRuns: RUNS },
    )
    expect([...accepted].sort()).toEqual(ALGORITHMS.filter((each) => each !== 'Ed25519').sort())
  })

  it('about a token with one character changed, removed or added', async () => {
    const token = ((alg: keyof typeof PAIRS) => {
      const head = base64Url(JSON.stringify({ alg, kid: PAIRS[alg].publicJwk.kid }))
      return signed(`${head}.${base64Url(JSON.stringify(claimsAt(NOW)))}`, alg)
    })('ES256')
    expect(await ours(token)).toBe('accepted ada')
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.constantFrom('A', 'B', '-', '_', '.', '=', '+', '/', ' ', 'é', ''),
        fc.boolean(),
        async (at, character, replaces) => {
          const changed = token.slice(0, at) + character + token.slice(replaces ? at + 1 : at)
          const verdict = await ours(changed)
          // jose decodes base64url leniently; a second spelling of a token must not be accepted here.
          if (changed !== token) expect(verdict).toBe('refused')
          else expect(verdict).toBe(await theirs(changed))
        },
      ),
      { numRuns: RUNS },
    )
  })

  it('about key sets: other kinds of keys, other uses, repeated names', async () => {
    const { RS256, ES256, EdDSA } = PAIRS
    const more = fc.constantFrom<object>(
      {},
      { use: 'sig' },
      { use: 'enc' },
      { alg: 'RS256' },
      { alg: 'ES256' },
      { alg: 'EdDSA' },
      { key_ops: ['verify'] },
      { key_ops: ['sign'] },
      { kid: 'ec' },
      { kid: 'other' },
    )
    const sets = fc.array(
      fc
        .tuple(fc.constantFrom(RS256, ES256, EdDSA), more)
        .map(([{ publicJwk }, other]) => ({ ...publicJwk, ...other })),
      { maxLength: 4 },
    )
    const body = base64Url(JSON.stringify(claimsAt(NOW)))
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(algs, sets, fc.boolean(), async (alg, keys, hasKid) => {
        const kid = hasKid ? { kid: PAIRS[alg].publicJwk.kid } : {}
        const token = signed(`${base64Url(JSON.stringify({ alg, ...kid }))}.${body}`, alg)
        if (keys.length === 0) return
        const usable = keys.filter((key) => (key as { use?: string }).use !== 'enc')
        // A set without one usable key is a mistake in the configuration here.
        const verdict =
          usable.length === 0 ? 'refused' : await ours(token, keys).catch(() => 'refused')
        expect(verdict).toBe(await theirs(token, keys))
        if (verdict !== 'refused') accepted++
      }),
      { numRuns: RUNS },
    )
    expect(accepted).toBeGreaterThan(RUNS / 100)
  })
})
