// Users of a real OpenID provider (oidc-provider) sign in at the gateway's own authorization server, on the real host.
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from '../authentication/authorization-server.ts'
import { MemoryProvider } from '../authentication/memory-provider.ts'
import { freePort } from '../support/command.ts'
import {
  type AuthServer,
  Browser,
  HandClient,
  hidden,
  returnAddress,
  startAuthServer,
} from './application.ts'

const SECRET = 'a secret of the gateway, with : and %'

let provider: AuthorizationServer
let server: AuthServer

beforeAll(async () => {
  const port = await freePort()
  provider = await startAuthorizationServer({
    clients: [
      {
        client_id: 'gateway',
        client_secret: SECRET.replaceAll(/[ ,]/g, '-'),
        redirect_uris: [`http://127.0.0.1:${port}/auth/callback`],
        id_token_signed_response_alg: 'EdDSA',
      },
    ],
    claims: {
      profile: { preferred_username: 'Ada' },
      email: { email: 'ada@example.com', email_verified: true },
      groups: { groups: ['operators'] },
    },
  })
  server = await startAuthServer(
    {
      auth_users: '',
      auth_scopes: 'tools',
      auth_upstream: provider.url,
      auth_upstream_client_id: 'gateway',
      auth_upstream_client_secret: SECRET.replaceAll(/[ ,]/g, '-'),
      auth_upstream_users: 'domain:example.com',
      upstream_host: provider.url,
      policy: JSON.stringify({
        rules: [{ name: 'operators', effect: 'allow', groups: ['operators'] }],
      }),
    },
    port,
  )
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

/** The user allows the client, and signs in at the provider. @returns the address that the client gets. */
async function signIn(address: URL, browser = new Browser()): Promise<URL> {
  const page = await (await browser.get(address)).text()
  const answered = await browser.post(new URL('/auth/consent', address), {
    request: hidden(page),
    decision: 'upstream',
  })
  const back = await provider.signIn(await returnAddress(answered))
  return returnAddress(await browser.get(back))
}

/** The first request of each component takes its time on a busy machine. */
const MINUTES = 3 * 60_000

describe('an official client', { timeout: MINUTES }, () => {
  it('gets a token of a user of the provider, whose groups the policy sees', async () => {
    const memory = new MemoryProvider()
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(server.resource), { authProvider: memory })
    const first = transport()
    await expect(new Client({ name: 'test', version: '1' }).connect(first)).rejects.toThrow(
      UnauthorizedError,
    )
    await first.finishAuth((await signIn(memory.address())).searchParams)
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport())
    const call = { name: 'calculator', arguments: { expression: '6*7' } }
    expect((await client.callTool(call)).content).toEqual([{ type: 'text', text: '42' }])
    await client.close()
  })
})

it('the provider signs the token that is checked, and the gateway shows the name of the user', async () => {
  const client = new HandClient(server)
  await client.register()
  const code = (await signIn(client.address())).searchParams.get('code') ?? ''
  const { body } = await client.redeem(code)
  const { host } = new URL(provider.url)
  expect(await client.whoami(body['access_token'])).toMatchObject({
    status: 200,
    body: { user: `${host}:ada`, name: 'Ada', groups: ['operators'] },
  })
  expect((await client.refresh(body['refresh_token'])).status).toBe(200)
})

it('the browser of another user cannot bring the answer of the provider', async () => {
  const client = new HandClient(server)
  await client.register()
  const attacker = new Browser()
  const page = await (await attacker.get(client.address())).text()
  const answered = await attacker.post(`${server.url}/auth/consent`, {
    request: hidden(page),
    decision: 'upstream',
  })
  const back = await provider.signIn(await returnAddress(answered))
  const victim = new Browser()
  await victim.get(client.address())
  expect((await victim.get(back)).status).toBe(403)
})

it('the user sees the client on the page of grants, and removes it', async () => {
  const client = new HandClient(server)
  await client.register({ client_name: 'To be removed' })
  const browser = new Browser()
  const code = (await signIn(client.address(), browser)).searchParams.get('code') ?? ''
  const { body } = await client.redeem(code)
  const address = `${server.url}/auth/grants`
  const first = await (await browser.get(address)).text()
  const sent = await browser.post(address, { form: hidden(first, 'form'), decision: 'upstream' })
  const forward = await browser.get(await provider.signIn(await returnAddress(sent)))
  expect(await forward.text()).toContain('url=/auth/grants')
  const page = await (await browser.get(address)).text()
  expect(page).toContain('To be removed')
  const entry = page.slice(page.indexOf('To be removed'))
  const revoke = hidden(entry, 'revoke')
  await browser.post(address, { form: hidden(page, 'form'), revoke })
  expect((await client.refresh(body['refresh_token'])).body['error']).toBe('invalid_grant')
})
