// Who is refused loses every way in at once: by token, key, proxy, and the links that were given out before.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from 'ftl-host'
import { type HostileApplication, writeApplication } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver } from './support/publisher.ts'
import { built } from './support/wat.ts'

const ISSUER = 'https://issuer.example'
const AUDIENCE = 'https://tools.example/mcp'
const SECRET = randomBytes(24).toString('base64url')
const KEY = `ftl_${randomBytes(32).toString('base64url')}`
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const { publicKey, privateKey } = generateKeyPairSync('ed25519')

function tokenOf(sub: string): string {
  const now = Math.floor(Date.now() / 1000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const times = { iat: now, exp: now + 3600 }
  const claims = {
    iss: ISSUER,
    aud: AUDIENCE,
    sub,
    client_id: 'app',
    jti: `t-${sub}`,
    scope: 'tools',
  }
  const text = `${part({ alg: 'EdDSA', typ: 'at+jwt' })}.${part({ ...claims, ...times })}`
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
}

const TOKEN = tokenOf('ada')
const BY_TOKEN = { authorization: `Bearer ${TOKEN}` }
const BY_KEY = { authorization: `Bearer ${KEY}` }
const BY_PROXY = { 'x-forwarded-user': 'ada', 'x-forwarded-user-secret': SECRET }

let application: HostileApplication
let host: Host

beforeAll(async () => {
  const settings = ['auth_deny', 'auth_scopes']
  const gateway = await gatewayOver(['talk'], {
    auth_issuers: JSON.stringify([
      { issuer: ISSUER, jwks: { keys: [publicKey.export({ format: 'jwk' })] } },
    ]),
    auth_audience: AUDIENCE,
    api_keys: JSON.stringify([{ sha256: sha256(KEY), principal: 'ci', scopes: ['tools'] }]),
    trust_forwarded_user: 'true',
    forwarded_user_secret: SECRET,
    policy: 'signed-in',
    discovery_timeout_ms: '20000',
    ...Object.fromEntries(settings.map((name) => [name, `{{ ${name} }}`])),
  })
  application = await writeApplication(
    {
      'mcp-gateway': gateway,
      talk: { wasm: await built('test/chat/talk'), route: false, stores: ['default'] },
    },
    `[variables]\n${settings.map((name) => `${name} = { default = "" }\n`).join('')}`,
  )
  host = await startHost({
    manifest: application.manifest,
    listen: '127.0.0.1:0',
    env: {},
    stateDir: join(application.folder, 'state'),
    workers: 1,
    drainMs: 200,
  })
})
afterAll(async () => {
  await host?.close()
  await application?.remove()
})

const statusOf = async (path: string, headers: Record<string, string> = {}) =>
  (await fetch(`${host.url}${path}`, { headers })).status

/** A job of this caller. @returns the path that opens it without a credential */
async function linkOf(headers: Record<string, string>): Promise<string> {
  const started = await fetch(`${host.url}/invoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'respond-async', ...headers },
    body: JSON.stringify({ tool: 'long_work', params: { milliseconds: 600_000 } }),
  })
  expect(started.status).toBe(202)
  const [path = ''] = /\/jobs\/[\w-]+/.exec(started.headers.get('location') ?? '') ?? []
  const { link } = (await (await fetch(`${host.url}${path}`, { headers })).json()) as {
    link: string
  }
  return `${path}?link=${link}`
}

type Way = readonly [name: string, path: () => string, headers: Record<string, string>]
const links: Record<'token' | 'key' | 'proxy', string> = { token: '', key: '', proxy: '' }
const WAYS: readonly Way[] = [
  ['token', () => '/whoami', BY_TOKEN],
  ['key', () => '/whoami', BY_KEY],
  ['proxy', () => '/whoami', BY_PROXY],
  ['link of the token', () => links.token, {}],
  ['link of the key', () => links.key, {}],
  ['link of the proxy', () => links.proxy, {}],
]

/** @returns the ways that are refused under these variables. */
async function refusedBy(variables: Record<string, string>): Promise<string[]> {
  await host.reload({ variables })
  const refused: string[] = []
  for (const [name, path, headers] of WAYS) {
    const status = await statusOf(path(), headers)
    expect([200, 401, 403], name).toContain(status)
    if (status !== 200) refused.push(name)
  }
  return refused
}

/** A reload starts the workers again, which takes seconds on a busy machine. */
const LOADED_MS = 120_000

test('each way is open before', { timeout: LOADED_MS }, async () => {
  links.token = await linkOf(BY_TOKEN)
  links.key = await linkOf(BY_KEY)
  links.proxy = await linkOf(BY_PROXY)
  expect(await refusedBy({})).toEqual([])
})

describe('someone whose access was revoked goes on', () => {
  const RULES: [rule: string, closed: string[]][] = [
    ['sub:ada', ['token', 'proxy', 'link of the token', 'link of the proxy']],
    [`principal:${ISSUER}#ada`, ['token', 'link of the token']],
    ['principal:ada', ['proxy', 'link of the proxy']],
    ['principal:key:ci', ['key', 'link of the key']],
    ['client:app', ['token']],
    ['jti:t-ada', ['token']],
    ['jti:t', []],
    [`token:${sha256(TOKEN)}`, ['token']],
    [`token:${sha256(KEY)}`, ['key']],
  ]
  for (const [rule, closed] of RULES) {
    attack(
      `by any way, after auth_deny = ${rule.replace(/[0-9a-f]{64}/, '(digest)')}`,
      async () => {
        expect(await refusedBy({ auth_deny: rule })).toEqual(closed)
        return closed.length === 0 ? 'another name: nothing' : `refused: ${closed.join(', ')}`
      },
    )
  }

  attack(
    'by any way, after auth_scopes asks for more',
    async () => {
      expect(await refusedBy({ auth_scopes: 'tools admin' })).toEqual(['token', 'key', 'proxy'])
      return 'refused: token, key, proxy'
    },
    LOADED_MS,
  )

  attack(
    'as a user of a proxy, who has no scopes',
    async () => {
      expect(await refusedBy({ auth_scopes: 'tools' })).toEqual(['proxy'])
      return '403, insufficient_scope'
    },
    LOADED_MS,
  )

  test('and is served again when the rule is gone', { timeout: LOADED_MS }, async () => {
    expect(await refusedBy({})).toEqual([])
  })
})
