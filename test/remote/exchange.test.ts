// The callers' own tokens, exchanged for those of a server on the official SDK: which component gets them, and who sees none.
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../support/command.ts'
import { type ServedManifest, serveManifest } from '../support/serve-manifest.ts'
import { CANNOT_RUN } from './application.ts'
import { CLIENT, type ExchangingIssuer, startIssuer } from './exchanging-issuer.ts'
import { type ProtectedServer, startProtected } from './protected-server.ts'

const KEY = `ftl_${createHash('sha256').update('ci').digest('base64url')}`
/** The gateway of the application is built without what only this one has. */
const IS_SANDBOXED = process.env['FTL_TEST_GATEWAY'] === 'sandboxed'

interface Result {
  content?: { text: string }[]
  isError?: boolean
}

describe.skipIf(CANNOT_RUN || IS_SANDBOXED)('the tokens of callers', () => {
  let issuer: ExchangingIssuer
  let server: ProtectedServer
  let host: ServedManifest
  let stateDir = ''

  beforeAll(async () => {
    stateDir = await mkdtemp(join(tmpdir(), 'ftl-exchange-'))
    issuer = await startIssuer()
    server = await startProtected(issuer.url)
    const listen = `127.0.0.1:${await freePort()}`
    issuer.gateway = `http://${listen}/mcp`
    const key = createHash('sha256').update(KEY).digest('hex')
    host = await serveManifest({
      manifest: fileURLToPath(new URL('exchange-app/spin.toml', import.meta.url)),
      stateDir,
      listen,
      variables: {
        auth_issuers: issuer.url,
        auth_audience: issuer.gateway,
        auth_host: issuer.url,
        caller_token_components: 'remote',
        api_keys: JSON.stringify([{ sha256: key, principal: 'ci', scopes: [] }]),
        remote_key: 'a-key-for-tests-of-32-characters!',
        remote_servers: JSON.stringify({
          tracker: {
            url: server.url,
            auth: { type: 'exchange', issuer: issuer.url, ...CLIENT },
          },
        }),
      },
    })
    const token = await issuer.token('ann', issuer.gateway)
    // A list that fails is requested again after 15 s.
    await vi.waitFor(
      async () =>
        expect(JSON.stringify(await ask(token, 'tools/list', {}))).toContain('"second__whoami"'),
      { timeout: 90_000, interval: 1_000 },
    )
  }, 120_000)
  afterAll(async () => {
    await host?.close()
    await server?.close()
    await issuer?.close()
    await rm(stateDir, { recursive: true, force: true })
  })

  async function ask(token: string, method: string, params: object, more = {}): Promise<Result> {
    const response = await fetch(`${host.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result?: Result; error?: unknown }
    if (!result) throw new Error(JSON.stringify(error))
    return result
  }
  const call = (token: string, name: string) => ask(token, 'tools/call', { name, arguments: {} })
  const textOf = ({ content }: Result) => content?.[0]?.text
  /** The tokens that the issuer was asked to exchange, each with what for. */
  const exchanged = () =>
    issuer.requests
      .filter((form) => form.has('subject_token'))
      .map((form) => [form.get('subject_token'), form.get('grant_type'), form.get('resource')])

  it('become tokens of the server, each for its own user', async () => {
    const before = exchanged().length
    const tokens: string[] = []
    for (const user of ['ann', 'bob']) {
      const token = await issuer.token(user, issuer.gateway)
      tokens.push(token)
      expect(textOf(await call(token, 'whoami'))).toBe(user)
      expect(textOf(await call(token, 'whoami'))).toBe(user)
      expect(server.tokens).not.toContain(token)
    }
    const grant = 'urn:ietf:params:oauth:grant-type:token-exchange'
    expect(exchanged().slice(before)).toEqual(tokens.map((token) => [token, grant, server.url]))
  })

  it('are not needed for the lists, which the client requests as itself', async () => {
    const before = exchanged().length
    const list = JSON.stringify(
      await ask(await issuer.token('cem', issuer.gateway), 'tools/list', {}),
    )
    expect(list).toContain('"whoami"')
    expect(exchanged()).toHaveLength(before)
    const grants = issuer.requests.map((form) => form.get('grant_type'))
    expect(grants.slice(0, 2)).toEqual(['client_credentials', 'client_credentials'])
  })

  it('are shown nowhere', async () => {
    const token = await issuer.token('ann', issuer.gateway)
    const answer = await call(token, 'echo_token')
    expect(textOf(answer)).toBe('It is [redacted]')
    const shown: string[] = [JSON.stringify(answer), host.printed()]
    for (const name of await readdir(stateDir, { recursive: true, withFileTypes: true })) {
      if (name.isFile()) shown.push(await readFile(join(name.parentPath, name.name), 'latin1'))
    }
    const all = shown.join('\n')
    // What is not secret is found there: in the audit log, and in the store.
    expect(host.printed()).toContain('"tool":"echo_token"')
    expect(all).toContain('Repeats the token')
    expect(server.tokens.size).toBeGreaterThan(1)
    for (const secret of [token, CLIENT.clientSecret, ...server.tokens]) {
      expect(all).not.toContain(secret)
    }
  })

  it('reach no component that the operator has not named', async () => {
    const before = exchanged().length
    const token = await issuer.token('ann', issuer.gateway)
    // A client cannot have its own header passed on either.
    for (const more of [{}, { 'ftl-caller-token': token }]) {
      const params = { name: 'second__whoami', arguments: {} }
      const answer = await ask(token, 'tools/call', params, more)
      expect(answer.isError).toBe(true)
      expect(textOf(answer)).toContain('caller_token_components')
    }
    expect(exchanged()).toHaveLength(before)
  })

  it('are not keys of the gateway', async () => {
    const before = issuer.requests.length
    const answer = await call(KEY, 'whoami')
    expect(answer.isError).toBe(true)
    expect(textOf(answer)).toContain('signed in with OAuth')
    expect(issuer.requests.length).toBe(before)
  })
})
