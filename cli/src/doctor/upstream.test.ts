import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseManifest } from 'ftl-host'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkUpstream } from './upstream.ts'

let server: Server
let issuer: string
let named: string

beforeAll(async () => {
  server = createServer((request, response) => {
    const isKnown =
      request.url?.endsWith('/.well-known/openid-configuration') === true &&
      !request.url.includes('none')
    const document = {
      issuer: named,
      token_endpoint: 'https://token.example/token',
      jwks_uri: issuer,
    }
    response.writeHead(isKnown ? 200 : 404).end(JSON.stringify(document))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  named = issuer
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const check = (upstream: string, { users = '*', id = 'x', hosts = [] as string[] } = {}) =>
  checkUpstream(
    parseManifest(
      `spin_manifest_version = 2
[application]
name = "test"
[[trigger.http]]
route = "/auth/..."
component = "auth"
[component.auth]
source = "auth.wasm"
allowed_outbound_hosts = ${JSON.stringify(hosts)}
[component.auth.variables]
auth_server_url = "https://gateway.example"
auth_upstream = "${upstream}"
auth_upstream_users = "${users}"
auth_upstream_client_id = "${id}"`,
      '/nowhere/spin.toml',
    ),
    { variable: {} },
  )

it('a provider that can be used is said to be so, with the redirect address', async () => {
  const hosts = [issuer, 'https://token.example']
  expect(await check(issuer, { hosts })).toMatchObject([
    {
      level: 'ok',
      message: expect.stringContaining('https://gateway.example/auth/callback') as string,
    },
  ])
  const github = ['https://github.com', 'https://api.github.com']
  expect(await check('github', { users: 'login:ada', hosts: github })).toMatchObject([
    { level: 'ok' },
  ])
  expect(await check('')).toEqual([])
})

it('each host that the component may not request is named, with what to add', async () => {
  expect(await check(issuer)).toMatchObject([
    { level: 'problem', remedy: expect.stringContaining(`"${issuer}"`) as string },
    { level: 'problem', remedy: expect.stringContaining('"https://token.example"') as string },
  ])
  expect(await check('github', { users: 'org:acme', hosts: ['https://github.com'] })).toMatchObject(
    [{ message: expect.stringContaining('https://api.github.com') as string }],
  )
})

it('settings without which no user can sign in are named', async () => {
  const hosts = ['https://github.com', 'https://api.github.com']
  expect(await check('github', { users: '', id: '', hosts })).toMatchObject([
    { level: 'problem', message: expect.stringContaining('auth_upstream_users') as string },
    { level: 'problem', message: expect.stringContaining('auth_upstream_client_id') as string },
  ])
})

it('an entry that names no user of the provider is a problem', async () => {
  const hosts = [issuer, 'https://token.example']
  for (const users of ['login:ada', 'group:', 'ada@example.com', '{}', '[oops', "group:a, 'b'"])
    expect(await check(issuer, { users, hosts }), users).toMatchObject([
      { message: expect.stringContaining('auth_upstream_users') as string },
    ])
  for (const users of ['group:a, sub:b', "['group:a']".replaceAll("'", '\\"'), '*'])
    expect(await check(issuer, { users, hosts }), users).toMatchObject([{ level: 'ok' }])
})

it('a provider that is not there, or is another one, is a problem', async () => {
  for (const upstream of [`${issuer}/none`, 'nonsense'])
    expect(await check(upstream)).toMatchObject([{ level: 'problem' }])
  named = 'https://other.example'
  expect(await check(issuer)).toMatchObject([
    { message: expect.stringContaining('https://other.example') as string },
  ])
  named = issuer
  // The component would refuse the metadata, too.
  named = `${issuer}/realms/main`
  expect(await check(`${named}/`)).toMatchObject([
    { message: expect.stringContaining('give exactly that') as string },
  ])
  named = issuer
  expect(await check(`${issuer}/`, { hosts: [issuer, 'https://token.example'] })).toMatchObject([
    { level: 'ok' },
  ])
})
