// Other MCP servers in the workbench: servers of both official SDKs, and the reasons why a connection fails.
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { CORS, listen, type OtherServer, startVersion1, startVersion2 } from './other-servers.ts'
import { openTool, usePage } from './use-page.ts'

const pages = usePage()
const SECRET = 'kumquat-marmalade'

const started: OtherServer[] = []
async function start(server: Promise<OtherServer>): Promise<OtherServer> {
  started.push(await server)
  return server
}
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()))
})

interface Access {
  kind?: string
  header?: string
  value?: string
}

async function add(page: Page, url: string, { kind, header, value }: Access = {}): Promise<void> {
  await page.getByRole('button', { name: 'Add a server' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a server' })
  await dialog.getByLabel('Address of its MCP endpoint').fill(url)
  if (kind !== undefined) await dialog.getByLabel('What proves who you are').selectOption(kind)
  if (header !== undefined) await dialog.getByLabel('Name of the header').fill(header)
  if (value !== undefined) await dialog.getByLabel(/^(Token|Value)$/).fill(value)
  await dialog.getByRole('button', { name: 'Add and connect' }).click()
}

const part = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Parts of the workbench' })
    .getByRole('link', { name })
    .click()

const about = (page: Page) => page.getByRole('link', { name: 'About the server' }).click()

describe('a server of version 1 of the SDK, with a session', () => {
  it('has its tools, prompts, resources, completion, log and subscriptions', async () => {
    const server = await start(startVersion1())
    const page = await pages.open('/#/tools')
    await add(page, server.url)
    const tool = await openTool(page, 'Count')
    // What belongs to this gateway is not offered.
    for (const name of ['Copy as', 'Copy link', 'HTTP', 'Recent and saved']) {
      expect(await tool.getByRole('button', { name }).count(), name).toBe(0)
    }
    const count = async (by: string) => {
      await tool.getByRole('textbox', { name: 'by' }).fill(by)
      await tool.getByRole('button', { name: 'Run', exact: true }).click()
    }
    await count('3')
    await tool.getByText('It is 3').waitFor()
    expect(await violations(page)).toEqual([])
    await shoot(page, 'mcp-other-tool')

    await part(page, 'Prompts')
    await page.getByRole('link', { name: 'Greet' }).click()
    await page.getByRole('combobox', { name: 'name' }).fill('A')
    await page.getByRole('option', { name: 'Alan' }).click()
    await page.getByRole('button', { name: 'Get messages' }).click()
    await page.getByText('Greet Alan').waitFor()

    await part(page, 'Resources')
    await page.getByRole('link', { name: 'A day' }).click()
    await page.getByRole('combobox', { name: 'day' }).fill('t')
    await page.getByRole('option', { name: 'tuesday' }).click()
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await page.getByText('On tuesday').waitFor()
    await page.getByRole('link', { name: 'The count' }).click()
    await page.getByText('count=3').waitFor()
    await page.getByLabel('Read it again when it changes').check()
    await expect
      .poll(() => server.requests.filter(({ body }) => body.includes('resources/subscribe')).length)
      .toBe(1)
    await part(page, 'Tools')
    await openTool(page, 'Count')
    await count('4')
    await tool.getByText('It is 7').waitFor()
    await part(page, 'Resources')
    await page.getByRole('link', { name: 'The count' }).click()
    await page.getByText('count=7').waitFor()
    await page.getByText(/Changed at/).waitFor()

    await about(page)
    const pane = page.getByRole('article', { name: new URL(server.url).host })
    for (const text of ['The first server', '1.2.3', '2025-11-25', 'handshake, with a session']) {
      await pane.getByText(text, { exact: true }).waitFor()
    }
    await pane.getByText('Call count to count.').waitFor()
    await pane.getByText('Now 7').waitFor()
    await pane.getByLabel('Log from').selectOption('error')
    await expect
      .poll(() => server.requests.filter(({ body }) => body.includes('logging/setLevel')).length)
      .toBe(1)
    await pane.getByRole('button', { name: 'Ping' }).click()
    await pane.getByText(/Answered in/).waitFor()
    expect(await violations(page)).toEqual([])
    await shoot(page, 'mcp-other-server')
    // The session is ended with the connection.
    await pane.getByRole('button', { name: 'Remove this server' }).click()
    await expect
      .poll(() => server.requests.filter(({ method }) => method === 'DELETE').length)
      .toBe(1)
    await page.getByRole('article', { name: 'This gateway' }).waitFor()
  }, 60_000)
})

it('a server of version 2 of the SDK is used with 2026-07-28, request by request', async () => {
  const server = await start(startVersion2())
  const page = await pages.open('/#/tools')
  await add(page, server.url)
  const tool = await openTool(page, 'Add')
  await tool.getByRole('textbox', { name: 'a', exact: true }).fill('20')
  await tool.getByRole('textbox', { name: 'b', exact: true }).fill('22')
  await tool.getByRole('button', { name: 'Run', exact: true }).click()
  await tool.getByText('The sum is 42').waitFor()
  await part(page, 'Prompts')
  await page.getByText('This server offers no prompts.').waitFor()
  await part(page, 'Resources')
  await page.getByRole('link', { name: 'One' }).click()
  await page.getByText('One document').waitFor()
  await about(page)
  await page.getByText('2026-07-28').waitFor()
  await page.getByText('each request by itself').waitFor()
  await page.getByRole('button', { name: 'Ping' }).click()
  await page.getByText(/Answered in/).waitFor()
  expect(server.requests.some(({ body }) => body.includes('"initialize"'))).toBe(false)
})

describe('what a server gets', () => {
  it('is the header of the user for it, and nothing of this gateway', async () => {
    const server = await start(startVersion1({ token: SECRET }))
    const page = await pages.open('/#/tools')
    // A browser sends cookies to every port of a host.
    await page.context().addCookies([{ name: 'gateway', value: 'session', url: pages.world.url }])
    await add(page, server.url, { kind: 'header', header: 'X-API-Key', value: SECRET })
    await page.getByRole('link', { name: 'Count' }).waitFor()
    for (const { headers } of server.requests) {
      expect(headers['x-api-key']).toBe(SECRET)
      for (const name of ['cookie', 'authorization', 'referer', 'x-request-id']) {
        expect(headers[name], name).toBeUndefined()
      }
    }
  })

  it('is stored nowhere: a reload keeps the address and asks for the token again', async () => {
    const server = await start(startVersion1({ token: SECRET }))
    const page = await pages.open('/#/tools')
    await add(page, server.url, { kind: 'token', value: SECRET })
    const tool = await openTool(page, 'Count')
    await tool.getByRole('textbox', { name: 'by' }).fill('1')
    await tool.getByRole('button', { name: 'Run', exact: true }).click()
    await tool.getByText('It is 1').waitFor()
    await tool.getByRole('tab', { name: 'Raw' }).click()
    await tool.getByText('Request headers').first().click()
    await tool.getByText('mcp-protocol-version').first().waitFor()
    expect(await tool.textContent()).not.toContain(SECRET)
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...sessionStorage }, { ...localStorage }]),
    )
    expect(stored).toContain(server.url)
    expect(stored).not.toContain(SECRET)
    expect(page.url()).not.toContain(SECRET)
    expect(page.url()).not.toContain(new URL(server.url).host.split(':')[1])
    expect(await page.content()).not.toContain(SECRET)
    await page.reload()
    await page.getByText('was forgotten with the reload').waitFor()
    await page.getByLabel('Token').fill(SECRET)
    await page.getByRole('button', { name: 'Use it and connect' }).click()
    await page.getByRole('article', { name: 'Count' }).waitFor()
    // Another tab knows nothing of it.
    const other = await pages.tab(page, '/#/tools')
    await other.locator('.tool-row').first().waitFor()
    expect(
      await other.getByRole('combobox', { name: 'Server' }).locator('option').allTextContents(),
    ).toEqual(['This gateway'])
  })

  it('is kept without an address that has a query', async () => {
    const server = await start(startVersion1())
    const page = await pages.open('/#/tools')
    await add(page, `${server.url}?key=${SECRET}`)
    await page.getByRole('link', { name: 'Count' }).waitFor()
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...sessionStorage }, { ...localStorage }]),
    )
    expect(stored).not.toContain(SECRET)
    expect(await page.locator('body').innerText()).not.toContain(SECRET)
  })
})

describe('a server that cannot be used says why, and what to do', () => {
  it('if it allows no pages', async () => {
    const server = await start(startVersion1({ cors: {} }))
    const page = await pages.open('/#/tools')
    await add(page, server.url)
    await page
      .getByText('The server is up, but it does not allow requests of this page (CORS).')
      .first()
      .waitFor()
    await page.getByText(`It must allow the origin ${pages.world.url}`).waitFor()
    expect(await violations(page)).toEqual([])
    await shoot(page, 'mcp-cors')
  })

  it('if there is none', async () => {
    const server = await startVersion1()
    await server.close()
    const page = await pages.open('/#/tools')
    await add(page, server.url)
    await page.getByText('Check that it is running').waitFor()
  })

  it('if it requires a token, and again if it does not accept one', async () => {
    const server = await start(startVersion1({ token: SECRET }))
    const page = await pages.open('/#/tools')
    await add(page, server.url)
    const pane = page.getByRole('article')
    await pane.getByText('The server requires a token (401).').waitFor()
    await pane.getByRole('button', { name: 'Look for a sign-in' }).click()
    await pane.getByText('The server does not say where to sign in').waitFor()
    expect(await violations(page)).toEqual([])
    await pane.getByLabel('Token').fill('wrong')
    await pane.getByRole('button', { name: 'Use it and connect' }).click()
    await pane.getByText('The server did not accept the token (401).').waitFor()
    await pane.getByLabel('Token').fill(SECRET)
    await pane.getByRole('button', { name: 'Use it and connect' }).click()
    await page.getByRole('link', { name: 'Count' }).waitFor()
  })

  it('if it redirects, and the token stays here', async () => {
    const thief = await start(listen((_, response) => void response.end('{}')))
    const server = await start(
      listen((_, response) => void response.writeHead(307, { location: thief.url }).end()),
    )
    const page = await pages.open('/#/tools')
    await add(page, server.url, { kind: 'token', value: SECRET })
    await page.getByText('The server redirects to another address.').first().waitFor()
    expect(thief.requests).toEqual([])
  })

  it('if it hides the id of its sessions from pages', async () => {
    const server = await start(
      startVersion1({ cors: { ...CORS, 'access-control-expose-headers': 'www-authenticate' } }),
    )
    const page = await pages.open('/#/tools')
    await add(page, server.url)
    await about(page)
    await page.getByText('Access-Control-Expose-Headers: Mcp-Session-Id').first().waitFor()
  })

  it('before anything is sent, if the policy of the page does not allow it', async () => {
    const page = await pages.open('/#/tools')
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await add(page, 'https://mcp.example/mcp')
    const dialog = page.getByRole('dialog', { name: 'Add a server' })
    await dialog.getByText('set the variable page_servers to "https://mcp.example"').waitFor()
    expect(await violations(page)).toEqual([])
    await shoot(page, 'mcp-add')
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', '']) {
      await dialog.getByLabel('Address of its MCP endpoint').fill(url)
      await dialog.getByRole('button', { name: 'Add and connect' }).click()
      await dialog.getByText('Enter the address of an MCP endpoint').waitFor()
    }
    expect(requests.filter((url) => !url.startsWith(pages.world.url))).toEqual([])
  })
})

it('a server that goes away leaves the gateway usable', async () => {
  const server = await start(startVersion1())
  const page = await pages.open('/#/tools')
  await add(page, server.url)
  await page.getByRole('link', { name: 'Count' }).waitFor()
  await server.close()
  started.pop()
  await about(page)
  await page.getByRole('button', { name: 'Connect again' }).click()
  await page.getByText('The server cannot be reached.').waitFor()
  await page.getByRole('combobox', { name: 'Server', exact: true }).selectOption('This gateway')
  await page.getByRole('article', { name: 'This gateway' }).waitFor()
})
