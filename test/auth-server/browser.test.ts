// The page of the authorization server in a real browser, and the ways back to a client.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findChromium, launch } from '../web/browser.ts'
import { type AuthServer, HandClient, PASS_PHRASE, startAuthServer } from './application.ts'

const found = findChromium()
const path = 'path' in found ? found.path : ''

/** A client's own server, on each address that a program of the machine uses. */
const answer: RequestListener = (request, response) => {
  const { pathname, search } = new URL(request.url ?? '/', 'http://client.invalid')
  if (pathname === '/onward') {
    const { port } = response.socket?.address() as AddressInfo
    response.writeHead(302, { location: `http://localhost:${port}/done${search}` }).end()
    return
  }
  const opener = '<script>document.title = `opener ${window.opener !== null}`</script>'
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(`<title>client</title>${pathname === '/popup' ? opener : ''}`)
}

/** Pass phrases and windows take their time on a busy machine. */
const MINUTES = 3 * 60_000

const servers: Server[] = []

/** @returns its port; `undefined` if the machine has no such address. */
async function listen(host: string): Promise<number | undefined> {
  const server = createServer(answer)
  const isOpen = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(0, host, () => resolve(true))
  })
  if (!isOpen) return undefined
  servers.push(server)
  return (server.address() as AddressInfo).port
}

describe.skipIf(path === '')('in Chromium', { timeout: MINUTES }, () => {
  let server: AuthServer
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let port = 0
  let portOfV6: number | undefined
  /** Complaints of the browser, such as those about the policy of a page. */
  let complaints: string[]

  beforeAll(async () => {
    server = await startAuthServer()
    browser = await launch(path)
    port = (await listen('127.0.0.1')) ?? 0
    portOfV6 = await listen('::1')
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
    for (const each of servers) {
      each.closeAllConnections()
      each.close()
    }
  })
  beforeEach(async () => {
    context = await browser.newContext()
    context.setDefaultTimeout(MINUTES)
    page = await context.newPage()
    complaints = []
    page.on('console', (message) => {
      if (/policy/i.test(message.text())) complaints.push(message.text())
    })
  })
  afterEach(() => context.close())

  async function clientAt(redirectUri: string): Promise<HandClient> {
    const client = new HandClient(server, redirectUri)
    expect(await client.register()).toMatchObject({ status: 201 })
    return client
  }

  async function allow(on: Page, passPhrase = PASS_PHRASE): Promise<void> {
    await on.getByLabel('User').fill('ada')
    await on.getByLabel('Pass phrase').fill(passPhrase)
    await on.getByRole('button', { name: 'Allow' }).click()
  }

  const codeOf = (address: string) => new URL(address).searchParams.get('code') ?? ''

  it.each([
    ['a program at 127.0.0.1', () => `http://127.0.0.1:${port}/back`],
    ['a program at localhost', () => `http://localhost:${port}/back`],
    ['a client that sends the user on to another site', () => `http://127.0.0.1:${port}/onward`],
  ])('a user who signs in returns to %s', async (_, uri) => {
    const client = await clientAt(uri())
    await page.goto(client.address().href)
    await allow(page)
    await page.waitForURL(/\/(back|done)\?/)
    expect((await client.redeem(codeOf(page.url()))).status).toBe(200)
    expect(complaints).toEqual([])
  })

  it('a user who signs in returns to a program at ::1', async ({ skip }) => {
    if (portOfV6 === undefined) return skip('this machine has no IPv6')
    const client = await clientAt(`http://[::1]:${portOfV6}/back`)
    await page.goto(client.address().href)
    await allow(page)
    await page.waitForURL(/\/back\?/)
    expect((await client.redeem(codeOf(page.url()))).status).toBe(200)
    expect(complaints).toEqual([])
  })

  it.each(['cursor://anysphere.cursor-mcp/oauth/callback', 'com.example.app:/callback'])(
    'the program for %s is asked for, and the page says that it can be closed',
    async (uri) => {
      const client = await clientAt(uri)
      await page.goto(client.address().href)
      await expect.poll(() => page.getByText(uri).isVisible()).toBe(true)
      const asked = page.waitForRequest((request) => request.url().startsWith(uri))
      await allow(page)
      const code = codeOf((await asked).url())
      expect((await client.redeem(code)).status).toBe(200)
      await expect.poll(() => page.getByText('you can close this page').isVisible()).toBe(true)
      expect(await page.getByRole('link').getAttribute('href')).toContain(`${uri}?code=`)
    },
  )

  it('a client that opened the page in a window still has this window afterwards', async () => {
    const client = await clientAt(`http://127.0.0.1:${port}/popup`)
    await page.goto(`http://127.0.0.1:${port}/`)
    const opened = page.waitForEvent('popup')
    await page.evaluate(`window.open(${JSON.stringify(client.address().href)}, 'sign-in')`)
    const popup = await opened
    await allow(popup)
    await popup.waitForURL(/\/popup\?/)
    expect(await popup.title()).toBe('opener true')
  })

  it('a wrong pass phrase is announced, and the right one is accepted on the same page', async () => {
    const client = await clientAt(`http://127.0.0.1:${port}/back`)
    await page.goto(client.address().href)
    await allow(page, 'wrong')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toBe('The user or the pass phrase is wrong.')
    await allow(page)
    await page.waitForURL(/\/back\?/)
  })

  it('the button "Back" leads to the question again, and a second tab does not disturb the first', async () => {
    const client = await clientAt(`http://127.0.0.1:${port}/back`)
    await page.goto(client.address().href)
    const other = await context.newPage()
    await other.goto(client.address().href)
    await allow(page)
    await page.waitForURL(/\/back\?/)
    await allow(other)
    await other.waitForURL(/\/back\?/)
    expect(codeOf(other.url())).not.toBe(codeOf(page.url()))
    await page.goBack()
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL(/error=access_denied/)
  })

  it('password managers recognize the fields', async () => {
    const client = await clientAt(`http://127.0.0.1:${port}/back`)
    await page.goto(client.address().href)
    expect(await page.getByLabel('User').getAttribute('autocomplete')).toBe('username')
    const passPhrase = page.getByLabel('Pass phrase')
    expect(await passPhrase.getAttribute('autocomplete')).toBe('current-password')
    expect(await passPhrase.getAttribute('type')).toBe('password')
  })
})
