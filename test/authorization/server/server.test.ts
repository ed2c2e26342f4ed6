// The rows for authorization servers against our component `auth`, and against servers that show that each can fail.
import { expect, it } from 'vitest'
import { startAuthServer } from '../../auth-server/application.ts'
import { startAuthorizationServer } from '../../authentication/authorization-server.ts'
import { freePort } from '../../support/command.ts'
import { SERVER_ROWS } from '../manifest.ts'
import { report } from '../report.ts'
import { startClosedServer } from '../sloppy-server.ts'
import { runServerRows } from '../suite.ts'
import { startSloppyServer } from './sloppy.ts'

const PERSON = { user: 'ada', passPhrase: 'a pass phrase' }

/** Users sign in at a provider that asks nothing, so that no pass phrase takes its time. */
async function startServer() {
  const port = await freePort()
  const client_secret = 'secret-of-the-gateway'
  const redirect_uris = [`http://127.0.0.1:${port}/auth/callback`]
  const provider = await startAuthorizationServer({
    clients: [{ client_id: 'gateway', client_secret, redirect_uris }],
  })
  const server = await startAuthServer(
    {
      ...{ auth_scopes: 'tools', auth_server_scopes: 'math', auth_users: '' },
      auth_upstream: provider.url,
      auth_upstream_client_id: 'gateway',
      auth_upstream_client_secret: client_secret,
      auth_upstream_users: 'sub:ada',
      upstream_host: provider.url,
    },
    port,
  )
  const close = async () => {
    await server.close()
    await provider.close()
  }
  return { ...server, close }
}

it('our authorization server fulfils every row', { timeout: 300_000 }, async () => {
  const server = await startServer()
  const { url: issuer, resource } = server
  try {
    const results = await runServerRows({ issuer, resource, scope: 'math', person: PERSON })
    const open = results.filter(({ state }) => state !== 'pass')
    expect(open.map(({ id, state, seen }) => `${id} ${state}: ${seen}`)).toEqual([])
    expect(report(results, 'table')).toMatch(/\nScore: MUST (\d+)\/\1, SHOULD (\d+)\/\2$/)
  } finally {
    await server.close()
  }
})

it('a row has an id of its own, and a sentence with its place in a specification', () => {
  const ids = SERVER_ROWS.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBeGreaterThan(50)
  for (const { id, sentence, source } of SERVER_ROWS) {
    expect(id).toMatch(/^[a-z]+\.[a-z0-9-]+$/)
    expect(sentence.length, id).toBeGreaterThan(25)
    expect(source, id).toMatch(/^https:\/\/[a-z.-]+\/.*#.+/)
  }
})

it('each row can fail: with a server that accepts everything, or one that refuses everything', async () => {
  const failed = new Set<string>()
  for (const start of [startSloppyServer, startClosedServer]) {
    const server = await start()
    const issuer = new URL(server.url).origin
    const target = { issuer, resource: `${issuer}/mcp`, scope: 'math', person: PERSON }
    for (const { id, state } of await runServerRows(target)) if (state === 'fail') failed.add(id)
    await server.close()
  }
  expect(SERVER_ROWS.map(({ id }) => id).filter((id) => !failed.has(id))).toEqual([])
})
