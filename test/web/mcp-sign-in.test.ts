// The workbench signs users in for another MCP server, and gives no server a token that is valid for the gateway.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from '../authentication/authorization-server.ts'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { listen, type OtherServer, sentByVersion1 } from './other-servers.ts'
import { signIn, useSignIn } from './sign-in-world.ts'

const pages = useSignIn()
let issuer: AuthorizationServer
/** Authorization servers that the next server names. */
let named: string[] = []
let server: OtherServer

beforeAll(async () => {
  issuer = await startAuthorizationServer()
  const serve = sentByVersion1()
  server = await listen(async (request, response, body) => {
    const { origin } = new URL(server.url)
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      response.setHeader('content-type', 'application/json')
      return void response.end(
        JSON.stringify({
          resource: server.url,
          authorization_servers: named,
          scopes_supported: ['tools'],
        }),
      )
    }
    if (request.headers.authorization === undefined) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` })
      return void response.end()
    }
    return serve(request, response, body)
  })
})
afterAll(async () => {
  await server.close()
  await issuer.close()
})

async function add(page: Page): Promise<void> {
  await page.evaluate(() => (location.hash = '#/tools'))
  await page.getByRole('button', { name: 'Add a server' }).click()
  await page.getByLabel('Address of its MCP endpoint').fill(server.url)
  await page.getByRole('button', { name: 'Add and connect' }).click()
  await page.getByRole('button', { name: 'Look for a sign-in' }).click()
}

describe('another server', () => {
  it('gets a token of its own authorization server, for itself', async () => {
    named = [issuer.url]
    const page = await pages.open()
    await signIn(page)
    await add(page)
    const button = page.getByRole('button', { name: `Sign in with ${new URL(issuer.url).host}` })
    await button.waitFor()
    expect(await violations(page)).toEqual([])
    await shoot(page, 'mcp-sign-in')
    await button.click()
    await page.getByRole('link', { name: 'Count' }).waitFor()
    const token = server.requests.at(-1)?.headers.authorization?.replace('Bearer ', '') ?? ''
    // It is searched for in everything that the page keeps.
    pages.secrets.add(token)
    const [, claims = ''] = token.split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: issuer.url,
      aud: server.url,
    })
  })

  it('that names the authorization server of this gateway gets none', async () => {
    named = [pages.app.issuer.url]
    const page = await pages.open()
    await signIn(page)
    await add(page)
    await page
      .getByText('Users of this gateway sign in at the same authorization server.')
      .waitFor()
    expect(await page.getByRole('button', { name: /^Sign in with/ }).count()).toBe(0)
  })

  it('whose authorization server leads on to that of this gateway gets none', async () => {
    const trap = await listen((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          issuer: trapOrigin(),
          authorization_endpoint: `${pages.app.issuer.url}/auth`,
          token_endpoint: `${trapOrigin()}/token`,
          registration_endpoint: `${pages.app.issuer.url}/reg`,
          code_challenge_methods_supported: ['S256'],
          response_types_supported: ['code'],
        }),
      )
    })
    const trapOrigin = () => new URL(trap.url).origin
    named = [trapOrigin()]
    const page = await pages.open()
    await signIn(page)
    const before = trap.requests.length
    await add(page)
    await page.getByRole('button', { name: /^Sign in with/ }).click()
    await page
      .getByText('Users of this gateway sign in at the same authorization server.')
      .waitFor()
    expect(trap.requests.slice(before).filter(({ method }) => method === 'POST')).toEqual([])
    await trap.close()
  })
})
