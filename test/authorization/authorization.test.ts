// The public suite for authorization against our gateway, and against a server that shows that its rows can fail.
import { dirname, join } from 'node:path'
import { startHost } from 'ftl-host'
import { describe, expect, it } from 'vitest'
import { freePort } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { parseChallenges } from './challenge-header.ts'
import { INTROSPECTING, startIssuer } from './issuer.ts'
import { createLab } from './lab.ts'
import { ROWS } from './manifest.ts'
import { report } from './report.ts'
import { startClosedServer, startGreedyServer, startSloppyServer } from './sloppy-server.ts'
import { NotConfigured, type Result, runRows, runSuite } from './suite.ts'

const ORIGIN = 'https://app.example'
const SCOPES = ['tools', 'files']
const OTHER_AUDIENCE = 'api://other'

async function runOnGateway(): Promise<Result[]> {
  const issuer = await startIssuer({ algorithm: 'RS256' })
  const other = await startIssuer({ algorithm: 'RS256' })
  const listen = `127.0.0.1:${await freePort()}`
  const url = `http://${listen}/mcp`
  const host = await startHost({
    manifest: MANIFESTS.providers,
    listen,
    stateDir: '',
    cacheDir: join(dirname(MANIFESTS.providers), '.ftl', 'cache'),
    env: {},
    variables: {
      auth_issuers: JSON.stringify([
        { issuer: issuer.url, scopes_supported: ['openid'] },
        { issuer: other.url, audiences: [OTHER_AUDIENCE] },
      ]),
      // Two issuers have two ports.
      auth_host: 'http://127.0.0.1:*',
      auth_introspection: JSON.stringify({
        issuer: issuer.url,
        endpoint: `${issuer.url}/introspect`,
        client_id: INTROSPECTING.id,
        client_secret: INTROSPECTING.secret,
      }),
      auth_audience: url,
      auth_scopes: SCOPES.join(' '),
      auth_dpop: 'true',
      policy: 'signed-in',
      allowed_origins: ORIGIN,
    },
  })
  try {
    const target = { url, scopes: SCOPES, origin: ORIGIN, introspects: true, dpop: true }
    return await runSuite({ ...target, other: { issuer: other, audience: OTHER_AUDIENCE } }, issuer)
  } finally {
    await host.close()
    await issuer.close()
    await other.close()
  }
}

/** These depend on what a server does behind its endpoint, or on its address. */
const NEVER_TESTABLE = [
  'scope.hierarchies',
  'exposure.encrypted-transport',
  'exposure.not-passed-through',
  'exposure.token-storage',
]

it('our gateway fulfils every row that can be tested', async () => {
  const results = await runOnGateway()
  const failed = results.filter(({ state }) => state === 'fail')
  expect(failed.map(({ id, seen }) => `${id}: ${seen}`)).toEqual([])
  expect(results.filter(({ state }) => state === 'not testable').map(({ id }) => id)).toEqual([
    'request.session-of-another-user',
    ...NEVER_TESTABLE,
  ])
  expect(report(results, 'table')).toMatch(/\nScore: MUST (\d+)\/\1, SHOULD (\d+)\/\2 \(5 not/)
})

describe('a row', () => {
  it('has an id and a sentence of its own place in a specification', () => {
    const ids = ROWS.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(60)
    for (const { id, sentence, source } of ROWS) {
      expect(id).toMatch(/^[a-z]+\.[a-z0-9-]+$/)
      expect(sentence.length, id).toBeGreaterThan(30)
      expect(source, id).toMatch(/^https:\/\/[a-z.-]+\/.*#.+/)
    }
  })

  it('can fail: each does on a server that accepts everything, or on those that refuse everything', async () => {
    const issuer = await startIssuer({ algorithm: 'RS256' })
    const other = await startIssuer({ algorithm: 'RS256' })
    const failed = new Set<string>()
    for (const start of [startSloppyServer, startClosedServer, startGreedyServer]) {
      const server = await start(issuer.jwksUri)
      const target = {
        url: server.url,
        scopes: SCOPES,
        origin: ORIGIN,
        introspects: true,
        dpop: true,
      }
      const lab = createLab(
        { ...target, other: { issuer: other, audience: OTHER_AUDIENCE } },
        issuer,
      )
      for (const { id, state } of await runRows(lab)) if (state === 'fail') failed.add(id)
      lab.close()
      await server.close()
    }
    await issuer.close()
    await other.close()
    const never = ROWS.map(({ id }) => id).filter((id) => !failed.has(id))
    expect(never).toEqual(NEVER_TESTABLE)
  })
})

it('a server that refuses valid tokens is not scored, and the operator learns what to configure', async () => {
  const issuer = await startIssuer({ algorithm: 'ES256' })
  const server = await startClosedServer()
  const run = runSuite({ url: server.url, scopes: SCOPES }, issuer)
  await expect(run).rejects.toThrow(NotConfigured)
  await expect(run).rejects.toThrow(new RegExp(`issued by +${issuer.url}[^]+tools files`))
  await server.close()
  await issuer.close()
})

it.each([
  ['Bearer', [['Bearer', []]]],
  [
    'Bearer a="1", b=2',
    [
      [
        'Bearer',
        [
          ['a', '1'],
          ['b', '2'],
        ],
      ],
    ],
  ],
  [
    'Basic realm="x, Bearer y=\\"z\\"", Bearer scope="a b"',
    [
      ['Basic', [['realm', 'x, Bearer y="z"']]],
      ['Bearer', [['scope', 'a b']]],
    ],
  ],
  ['Bearer error="a" scope="b"', undefined],
  ['Bearer error="a', undefined],
  ['="x"', undefined],
])('reads the challenge %s', (value, expected) => {
  const read = parseChallenges(value)
  expect(read?.map(({ scheme, parameters }) => [scheme, parameters])).toEqual(expected)
})
