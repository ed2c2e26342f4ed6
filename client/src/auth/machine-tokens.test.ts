import { afterEach, beforeEach, expect, it } from 'vitest'
import { type OAuthServers, startOAuthServers, unauthorized } from '../testing/oauth-servers.ts'
import { authorizedFetch } from './authorized-fetch.ts'
import { MachineTokens } from './machine-tokens.ts'

let servers: OAuthServers
let request: typeof fetch
beforeEach(async () => {
  servers = await startOAuthServers()
  const server = new URL(servers.server)
  const client = { id: 'ci', secret: 'the secret', issuer: servers.issuer }
  request = authorizedFetch(server, new MachineTokens(server, { client }))
})
afterEach(() => servers.close())

const sent = (path: string) => servers.received.filter(({ url }) => url.pathname === path)

it('a machine gets one token for many requests, with its secret in the header', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => request(servers.server)))
  expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200))
  const tokens = sent('/token')
  expect(tokens).toHaveLength(1)
  expect(Object.fromEntries(tokens[0]?.form ?? [])).toEqual({
    grant_type: 'client_credentials',
    resource: servers.server,
    scope: 'tools',
  })
  // RFC 6749, section 2.3.1: both parts are form-urlencoded first.
  const basic = Buffer.from('ci:the+secret').toString('base64')
  expect(tokens[0]?.authorization).toBe(`Basic ${basic}`)
})

it('a token with too few scopes is replaced once by one with all of them', async () => {
  await request(servers.server)
  const first = servers.routes.get('/mcp')
  servers.routes.set('/mcp', (each) =>
    each.authorization === 'Bearer access-1'
      ? { ...unauthorized('error="insufficient_scope", scope="files"'), status: 403 }
      : (first?.(each) ?? {}),
  )
  expect((await request(servers.server)).status).toBe(200)
  expect(sent('/token').map(({ form }) => form.get('scope'))).toEqual(['tools', 'tools files'])
})

it('a server that is never content gets two requests, and the machine no third token', async () => {
  servers.routes.set('/mcp', () => ({
    ...unauthorized('error="insufficient_scope", scope="more"'),
    status: 403,
  }))
  await expect(request(servers.server)).rejects.toThrow('requires the scopes')
  expect([sent('/mcp').length, sent('/token').length]).toEqual([2, 1])
})

it('after a failure, the next request tries again', async () => {
  const token = servers.routes.get('/token')
  servers.routes.set('/token', () => ({ status: 400, body: { error: 'invalid_client' } }))
  await expect(request(servers.server)).rejects.toThrow('invalid_client')
  if (token) servers.routes.set('/token', token)
  expect((await request(servers.server)).status).toBe(200)
})
