// An authorization server changes its key while its clients call, and others invent names of keys.
import { afterAll, beforeAll, expect } from 'vitest'
import { type Issuer, startIssuer } from '../authorization/issuer.ts'
import { createKey, tokenOf } from '../authorization/tokens.ts'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver } from './support/publisher.ts'
import { built } from './support/wat.ts'

const CALLERS = 20

let issuer: Issuer
let host: RunningApplication
beforeAll(async () => {
  issuer = await startIssuer({ algorithm: 'ES256' })
  const gateway = await gatewayOver(['echo'], {
    auth_issuers: JSON.stringify([{ issuer: issuer.url, jwks_uri: issuer.jwksUri }]),
    policy: 'signed-in',
  })
  host = await startHostile(
    {
      'mcp-gateway': {
        ...gateway,
        allowedHosts: ['http://*.spin.internal', issuer.url],
      },
      echo: { wasm: await built('echo'), route: false },
    },
    { workers: 2 },
  )
})
afterAll(async () => {
  await host?.close()
  await issuer?.close()
})

let serial = 0
const claims = () => {
  const now = Math.floor(Date.now() / 1000)
  const aud = `${host.url}/mcp`
  return {
    iss: issuer.url,
    aud,
    sub: `user-${++serial}`,
    iat: now,
    exp: now + 300,
    jti: `${serial}`,
  }
}
const call = async (token: string): Promise<number> => {
  const response = await fetch(`${host.url}/tools/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"message":"Hello"}',
  })
  await response.text()
  return response.status
}
const all = (count: number, token: () => string) =>
  Promise.all(Array.from({ length: count }, () => call(token())))

attack('invent names of keys while the authorization server changes its key', async () => {
  const before = issuer.key
  expect(await all(CALLERS, () => tokenOf(before, claims()))).toEqual(Array(CALLERS).fill(200))
  issuer.rotate()
  const stranger = createKey('ES256')
  const [good, old, forged] = await Promise.all([
    all(CALLERS, () => tokenOf(issuer.key, claims())),
    all(CALLERS, () => tokenOf(before, claims())),
    all(CALLERS, () => tokenOf({ ...stranger, kid: crypto.randomUUID() }, claims())),
  ])
  expect(good).toEqual(good.map(() => 200))
  expect(old).toEqual(old.map(() => 200))
  expect(forged).toEqual(forged.map(() => 401))
  const asked = issuer.requests.filter((path) => path === '/keys').length
  // The first callers find no keys at all, so each of them may ask.
  expect(asked).toBeLessThanOrEqual(CALLERS + 1)
  return '401; the keys are requested once for all'
})
