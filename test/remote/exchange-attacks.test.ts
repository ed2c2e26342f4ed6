// Exchanges of tokens at an authorization server that misbehaves, over real sockets.
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../support/command.ts'
import { rpc } from '../support/rpc.ts'
import { type ServedManifest, serveManifest } from '../support/serve-manifest.ts'
import { CANNOT_RUN } from './application.ts'
import { CLIENT, type ExchangingIssuer, startIssuer } from './exchanging-issuer.ts'
import { json } from './faulty-server.ts'
import { type ProtectedServer, startProtected } from './protected-server.ts'
import { serve, type WebServer } from './servers.ts'

/** The gateway of the application is built without what only this one has. */
const IS_SANDBOXED = process.env['FTL_TEST_GATEWAY'] === 'sandboxed'

const begun = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' })

describe.skipIf(CANNOT_RUN || IS_SANDBOXED)('an authorization server', () => {
  let issuer: ExchangingIssuer
  let server: ProtectedServer
  let elsewhere: WebServer
  let host: ServedManifest
  let stateDir = ''
  /** Bodies that the other server got. */
  const lost: string[] = []

  beforeAll(async () => {
    stateDir = await mkdtemp(join(tmpdir(), 'ftl-exchange-attacks-'))
    issuer = await startIssuer()
    server = await startProtected(issuer.url)
    elsewhere = await serve((_, response, body) => {
      lost.push(body)
      json(response, '{}')
    })
    const listen = `127.0.0.1:${await freePort()}`
    issuer.gateway = `http://${listen}/mcp`
    host = await serveManifest({
      manifest: fileURLToPath(new URL('exchange-app/spin.toml', import.meta.url)),
      stateDir,
      listen,
      variables: {
        auth_issuers: issuer.url,
        auth_audience: issuer.gateway,
        auth_host: issuer.url,
        caller_token_components: 'remote',
        remote_key: 'a-key-for-tests-of-32-characters!',
        remote_servers: JSON.stringify({
          tracker: {
            url: server.url,
            timeoutMs: 2_000,
            auth: { type: 'exchange', issuer: issuer.url, ...CLIENT },
          },
        }),
      },
    })
    // A list that fails is requested again after 15 s.
    await vi.waitFor(async () => expect(await call('ann')).toBe('ann'), {
      timeout: 90_000,
      interval: 1_000,
    })
  }, 120_000)
  afterAll(async () => {
    await host?.close()
    await server?.close()
    await issuer?.close()
    await elsewhere?.close()
    await rm(stateDir, { recursive: true, force: true })
  })
  afterEach(() => (issuer.disturb = undefined))

  /** With a new token of the user, which has to be exchanged. */
  async function call(user: string): Promise<string | undefined> {
    const token = await issuer.token(`${user}`, issuer.gateway)
    const headers = { authorization: `Bearer ${token}` }
    const params = { name: 'whoami', arguments: {} }
    const { result } = await rpc(host.url, 'tools/call', params, headers)
    const [first] = (result?.['content'] ?? []) as { text?: string }[]
    return first?.text
  }

  const WAYS: Record<string, [(response: ServerResponse) => void, RegExp]> = {
    'never answers': [() => {}, /gave no token within \d+ ms/],
    'does not end its answer': [
      (response) => void begun(response).write('{'),
      /gave no token within \d+ ms/,
    ],
    'answers drop by drop': [
      (response) => {
        const drip = setInterval(() => begunOnce(response).write(' '), 100)
        response.once('close', () => clearInterval(drip))
      },
      /gave no token within \d+ ms/,
    ],
    'answers without end': [
      (response) => {
        begun(response)
        const go = () => {
          while (response.write(' '.repeat(65_536)));
          response.once('drain', go)
        }
        go()
      },
      /sent more than 256 KiB/,
    ],
    'redirects the exchange': [
      (response) => void response.writeHead(307, { location: elsewhere.url }).end(),
      /redirect, which is not followed/,
    ],
    'hangs up': [(response) => void response.destroy(), /cannot be reached/],
  }
  const begunOnce = (response: ServerResponse) =>
    response.headersSent ? response : begun(response)

  it.each(Object.entries(WAYS))(
    'that %s costs the call an error that names it, and the next call nothing',
    async (_, [disturb, says]) => {
      issuer.disturb = disturb
      const answers = await Promise.all([call('ann'), call('bob')])
      for (const answer of answers) {
        expect(answer).toMatch(/not exchanged for "tracker"/)
        expect(answer).toMatch(says)
      }
      issuer.disturb = undefined
      expect(await Promise.all([call('ann'), call('bob')])).toEqual(['ann', 'bob'])
    },
  )

  it('that gives back the token of the caller does not get it sent to the server', async () => {
    issuer.disturb = (response, form) =>
      json(
        response,
        JSON.stringify({
          access_token: form.get('subject_token'),
          issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
          token_type: 'Bearer',
        }),
      )
    expect(await call('ann')).toContain('gave the same token back')
  })

  it('that moves its token endpoint is asked at the new place', async () => {
    issuer.endpoint = '/v2/token'
    expect(await call('ann')).toBe('ann')
    issuer.endpoint = '/token'
  })

  it('has had no token sent elsewhere by any of this', () => {
    expect(lost).toEqual([])
  })
})
