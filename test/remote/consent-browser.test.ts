// A sign-in in a real browser, which has rules of its own for cookies, forms and referrers.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../support/command.ts'
import { findChromium, launch } from '../web/browser.ts'
import { CANNOT_RUN } from './application.ts'
import { type ConsentWorld, startConsentWorld } from './consent-world.ts'

const found = findChromium()

describe.skipIf(CANNOT_RUN || !('path' in found))('a user in a browser', () => {
  let world: ConsentWorld
  let browser: Browser
  let context: BrowserContext
  let page: Page
  /** Another site than the authorization server, which is at 127.0.0.1. */
  let gateway: string

  beforeAll(async () => {
    const port = await freePort()
    gateway = `http://localhost:${port}`
    world = await startConsentWorld({
      listen: `127.0.0.1:${port}`,
      variables: { remote_address: gateway },
    })
    browser = await launch('path' in found ? found.path : '')
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })
  beforeEach(async () => {
    world.issuer.asks = true
    world.issuer.account = 'ann@tracker'
    context = await browser.newContext()
    page = await context.newPage()
  })
  afterEach(() => context.close())

  const linkOf = async () => {
    const { structuredContent } = await world.call('ann', 'sign_in', { server: 'tracker' })
    return String(structuredContent?.['url'])
  }

  it('signs in: from the link over the pages of the authorization server to the code', async () => {
    const problems: string[] = []
    page.on('console', (message) => {
      if (!message.location().url.endsWith('/favicon.ico')) problems.push(message.text())
    })
    page.on('pageerror', ({ message }) => void problems.push(message))
    const referrers: (string | undefined)[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(gateway)) referrers.push(request.headers()['referer'])
    })
    await page.goto(await linkOf())
    expect(await page.title()).toBe('Connect your account at tracker')
    await page.getByRole('button', { name: 'Continue' }).click()
    // The authorization server of this test has two buttons.
    await page.getByRole('button', { name: 'allow' }).click()
    await page.waitForURL(`${gateway}/connect/callback**`)
    const code = await page.locator('.code').innerText()
    expect(code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)
    // The link has the ticket.
    expect(referrers.join()).not.toContain('ticket')
    expect(problems).toEqual([])
    expect(await page.evaluate('document.cookie')).toBe('')

    await page.reload()
    expect(await page.locator('.code').count()).toBe(0)
    await page.goBack()

    const done = await world.call('ann', 'sign_in', { server: 'tracker', code })
    expect(done.isError).toBeFalsy()
    expect((await world.call('ann', 'whoami')).content[0]?.text).toBe('ann@tracker')
  })

  it('declines at the authorization server, and reads that', async () => {
    await page.goto(await linkOf())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'decline' }).click()
    await page.waitForURL(`${gateway}/connect/callback**`)
    expect(await page.locator('body').innerText()).toContain('Ada said')
    expect(await page.locator('b').count()).toBe(0)
  })

  it('is not signed in by a form or a frame of another site', async () => {
    await page.goto(await linkOf())
    const ticket = await page.locator('[name=ticket]').inputValue()
    const digest = await page.locator('[name=browser]').inputValue()
    const { server, origin } = await siteWith(
      `<iframe src="${page.url()}"></iframe><form method="post" action="${gateway}/connect/start">` +
        `<input name="ticket" value="${ticket}"><input name="browser" value="${digest}"><button>Go</button></form>`,
    )
    const before = world.issuer.tokenRequests
    await page.goto(origin)
    expect(await page.frames()[1]?.locator('form').count()).toBe(0)
    const answer = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: 'Go' }).click()
    expect((await answer).status()).toBe(403)
    expect(world.issuer.tokenRequests).toBe(before)
    server.close()
  })
})

/** Another site than the gateway, as for cookies. */
async function siteWith(html: string): Promise<{ server: Server; origin: string }> {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
