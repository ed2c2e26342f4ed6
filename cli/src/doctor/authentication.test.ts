import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseManifest } from 'ftl-host'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkAuthentication, requireUsableAuthentication } from './authentication.ts'

const manifestWith = (variables: string, hosts = '') =>
  parseManifest(
    `spin_manifest_version = 2
[application]
name = "test"
[[trigger.http]]
route = "/..."
component = "gateway"
[component.gateway]
source = "gateway.wasm"
allowed_outbound_hosts = ["http://*.spin.internal"${hosts}]
[component.gateway.variables]
tool_components = ""
${variables}
[component.web]
source = "web.wasm"
[component.web.variables]
auth_client_id = ""`,
    '/nowhere/spin.toml',
  )

let server: Server
let issuer: string
/** By path: the document, or the status. */
let documents: Record<string, object | number>
let cors: string | undefined
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })

beforeAll(async () => {
  server = createServer((request, response) => {
    const found = documents[request.url ?? ''] ?? 404
    const headers = cors === undefined ? {} : { 'access-control-allow-origin': cors }
    response.writeHead(typeof found === 'number' ? found : 200, headers)
    response.end(JSON.stringify(found))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  cors = '*'
  documents = {
    '/.well-known/openid-configuration': metadata(),
    '/keys': { keys: [RSA] },
  }
})

const metadata = (change: object = {}) => ({
  issuer,
  jwks_uri: `${issuer}/keys`,
  registration_endpoint: `${issuer}/register`,
  code_challenge_methods_supported: ['S256'],
  ...change,
})

const check = (issuers: unknown = issuer, hosts = `, "${issuer}"`) => {
  const text = typeof issuers === 'string' ? issuers : JSON.stringify(issuers)
  return checkAuthentication(manifestWith(`auth_issuers = '''${text}'''`, hosts), { variable: {} })
}

describe('an issuer', () => {
  it('that can be used is said to be so', async () => {
    expect(await check()).toMatchObject([{ level: 'ok', about: `issuer ${issuer}` }])
  })

  it('that the gateway may not reach names auth_host', async () => {
    expect(await check(issuer, '')).toContainEqual({
      level: 'problem',
      about: 'auth_host',
      message: `the gateway may not request the keys of ${issuer}`,
      remedy: `set auth_host=${issuer}, or add it to allowed_outbound_hosts of the gateway`,
    })
  })

  const METADATA = '/.well-known/openid-configuration'
  const cases: [what: string, change: () => void, level: string, message: RegExp][] = [
    [
      'whose name differs by a slash',
      () => (documents[METADATA] = metadata({ issuer: `${issuer}/` })),
      'problem',
      /only the slash at the end differs/,
    ],
    ['without metadata', () => delete documents[METADATA], 'problem', /has no metadata/],
    [
      'with keys for encryption only',
      () => (documents['/keys'] = { keys: [{ ...RSA, use: 'enc' }] }),
      'problem',
      /none of its 1 keys is for RS256/,
    ],
    ['without keys', () => (documents['/keys'] = 500), 'problem', /keys at .* cannot be read/],
    [
      'without PKCE',
      () => (documents[METADATA] = metadata({ code_challenge_methods_supported: undefined })),
      'warning',
      /PKCE with S256/,
    ],
    [
      'without registration',
      () => (documents[METADATA] = metadata({ registration_endpoint: undefined })),
      'warning',
      /let clients register/,
    ],
    ['that allows no pages', () => (cors = undefined), 'warning', /CORS/],
    ['that allows another page', () => (cors = 'https://other.example'), 'warning', /CORS/],
  ]
  it.each(cases)('%s', async (_, change, level, message) => {
    change()
    const findings = await check()
    expect(findings).toMatchObject([{ level, message: expect.stringMatching(message) as string }])
    expect(findings[0]?.remedy).toMatch(/./)
  })

  it('that cannot be reached is a problem, and does not hide the next one', async () => {
    const findings = await check([{ issuer: 'http://127.0.0.1:1' }, { issuer }], ', "*://*:*"')
    const levels = findings
      .filter(({ about }) => about.startsWith('issuer'))
      .map(({ level }) => level)
    expect(levels).toEqual(['problem', 'ok'])
  })

  it('of Keycloak without an audience has the line of its recipe', async () => {
    const realm = `${issuer}/realms/main`
    const path = '/realms/main/.well-known/openid-configuration'
    documents[path] = metadata({ issuer: realm })
    expect(await check(realm)).toMatchObject([
      { level: 'warning', message: expect.stringMatching(/Keycloak.*audience mapper/) as string },
    ])
    expect(await check([{ issuer: realm, audiences: ['account'] }])).toMatchObject([
      { level: 'ok' },
    ])
  })
})

describe('a start', () => {
  const start = (variables: string) =>
    requireUsableAuthentication(manifestWith(variables), { variable: {} })

  it.each([
    [
      `auth_issuers = '[{"issuer":"https://a.example","audience":"x"}]'`,
      /auth_issuers.*may have only/,
    ],
    ['auth_audience = "api://default"', /auth_audience.*http or https/],
    ['auth_algorithms = "HS256"', /auth_algorithms/],
    ['auth_deny = "ada"', /auth_deny/],
    ['api_keys = "x"', /api_keys/],
    ['auth_introspection = "x"', /auth_introspection/],
    [
      `policy = '{"rules":[{"principals":["key:ci"],"tools":["greet"]}]}'`,
      /policy.*rules\[0\]\.effect.*ftl policy check/,
    ],
  ])('with %s is refused', async (variables, message) => {
    await expect(start(variables)).rejects.toThrow(message)
  })

  it.each(['', 'auth_issuers = "https://a.example"', 'api_keys = "[]"', 'policy = "signed-in"'])(
    'with %j goes on',
    async (variables) => {
      await expect(start(variables)).resolves.toBeUndefined()
    },
  )
})
