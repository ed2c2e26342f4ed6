// Users of real providers sign in at the component `auth`, in Chromium, with the settings of docs/identity-providers.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HandClient, startAuthServer, type AuthServer } from '../auth-server/application.ts'
import { freePort } from '../support/command.ts'
import { findChromium, launch } from '../web/browser.ts'
import { dex } from './dex.ts'
import { keycloak } from './keycloak.ts'
import { ADA, EVE, type Found, GROUP, PASS_PHRASE, type Provider } from './provider.ts'

/** A Java program that starts on a busy machine. */
const MINUTES = 12 * 60_000
const POLICY = {
  rules: [{ name: 'sums', effect: 'allow', components: ['calculator'], groups: [GROUP] }],
}

const chromium = findChromium()

describe.each([keycloak, dex])(
  'a user of $name, at the component auth in Chromium',
  { timeout: MINUTES },
  (driver) => {
    let found: Found
    let provider: Provider | undefined
    let server: AuthServer
    let browser: Browser
    let back: Server
    const visits: string[] = []

    beforeAll(async () => {
      found = 'path' in chromium ? await driver.find() : { missing: chromium.reason }
      if (!('path' in found) || !('path' in chromium)) return
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      provider = await driver.start(found.path, { url, resource: `${url}/mcp` })
      server = await startAuthServer(
        { auth_users: '', policy: JSON.stringify(POLICY), ...provider.upstream },
        port,
      )
      back = createServer(({ url: visit = '' }, response) => {
        if (visit.startsWith('/back')) visits.push(visit)
        response.end('<title>client</title>')
      })
      await new Promise<void>((resolve) => back.listen(0, '127.0.0.1', resolve))
      browser = await launch(chromium.path)
    }, MINUTES)
    afterAll(async () => {
      if (!provider) return
      await browser.close()
      back.closeAllConnections()
      back.close()
      await server.close()
      await provider.close()
    })
    beforeEach(({ skip }) => skip('missing' in found, 'missing' in found ? found.missing : ''))

    async function openPage(): Promise<Page> {
      const context = await browser.newContext()
      context.setDefaultTimeout(60_000)
      return context.newPage()
    }

    /** @param reached what the page shows then, for a provider that knows the browser and asks nothing. */
    async function signIn(page: Page, user: string, reached?: string): Promise<void> {
      await page.getByRole('button', { name: /sign in with/i }).click()
      const secret = page.locator('input[type=password]')
      await (reached === undefined ? secret : secret.or(page.getByText(reached))).waitFor()
      if (!(await secret.isVisible())) return
      await page.locator('input[name=username], input[name=login]').first().fill(user)
      await secret.fill(PASS_PHRASE)
      await secret.press('Enter')
    }

    async function newClient(): Promise<HandClient> {
      const { port } = back.address() as AddressInfo
      const client = new HandClient(server, `http://127.0.0.1:${port}/back`)
      expect(await client.register({ client_name: 'Client of the night' })).toMatchObject({
        status: 201,
      })
      return client
    }

    it('returns to the client, whose token names the user and the groups, and ends it on the page', async () => {
      const client = await newClient()
      const page = await openPage()
      await page.goto(client.address().href)
      await signIn(page, ADA)
      await page.waitForURL(/\/back\?/)
      expect(visits.splice(0)).toHaveLength(1)
      const code = new URL(page.url()).searchParams.get('code') ?? ''
      const { status, body } = await client.redeem(code)
      expect(status).toBe(200)
      const who = await client.whoami(body['access_token'])
      expect(who).toMatchObject({ status: 200, body: { name: ADA, groups: [GROUP] } })
      const renewed = await client.refresh(body['refresh_token'])
      expect(renewed.status).toBe(200)
      await page.goto(`${server.url}/auth/grants`)
      await signIn(page, ADA, 'Client of the night')
      await page.getByText('Client of the night').waitFor()
      await page.locator('button[name=revoke]').click()
      await expect.poll(() => page.getByText('Client of the night').isVisible()).toBe(false)
      expect((await client.refresh(renewed.body['refresh_token'])).status).toBe(400)
    })

    it('who is in no group does not get back to the client', async () => {
      const client = await newClient()
      const page = await openPage()
      await page.goto(client.address().href)
      await signIn(page, EVE)
      await page.getByText('cannot go on').waitFor()
      // The code in the address is that of the provider, and was used.
      expect(new URL(page.url()).origin).toBe(server.url)
      expect(visits).toEqual([])
    })
  },
)
