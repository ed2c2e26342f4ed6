// Prompts, resources, templates and completion of this gateway in the workbench.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { usePage } from './use-page.ts'

const pages = usePage()

async function openOffer(path: string, title: string) {
  const page = await pages.open(path)
  await page.locator('.tool-row').getByRole('link', { name: title }).click()
  const pane = page.getByRole('article', { name: title })
  await pane.waitFor()
  return { page, pane, results: pane.getByRole('region', { name: 'Results' }) }
}

const wasOwned = (page: Page) => page.title().then((title) => title.includes('owned'))

describe('a prompt', () => {
  it('is filled with a form, and its messages are shown by their kind, as text', async () => {
    const { page, pane, results } = await openOffer('/#/prompts', 'Plan a trip')
    await pane.getByRole('button', { name: 'Get messages' }).click()
    await pane.getByText('One argument is wrong').waitFor()
    await pane.getByRole('combobox', { name: 'city' }).fill('Riga')
    await pane.getByRole('button', { name: 'Get messages' }).click()
    const first = results.getByRole('region', { name: 'Message 1, user' })
    await first.getByText('Plan a trip to Riga, the centre. <img src=x').waitFor()
    await results
      .getByRole('region', { name: 'Message 2, assistant' })
      .getByText('Gladly')
      .waitFor()
    await results.getByRole('region', { name: 'Message 3, user' }).getByText('days').waitFor()
    await results.getByRole('region', { name: 'Message 4, user' }).getByText('10 × 10').waitFor()
    expect(await wasOwned(page)).toBe(false)
    expect(await violations(page)).toEqual([])
    await shoot(page, 'mcp-prompt')
    await results.getByRole('tab', { name: 'Raw' }).click()
    const raw = results.getByRole('region', { name: 'prompts/get' })
    await raw.getByRole('button', { name: /arguments/ }).click()
    await raw.getByText('"Riga"').waitFor()
    expect(await violations(page)).toEqual([])
  })

  it('without arguments says so', async () => {
    const { pane, results } = await openOffer('/#/prompts', 'hello')
    await pane.getByText('It takes no arguments').waitFor()
    await pane.getByRole('button', { name: 'Get messages' }).click()
    await results.getByText('Say hello.').waitFor()
  })

  it('of a link is filled, and nothing is requested', async () => {
    const args = encodeURIComponent(JSON.stringify({ city: 'Oslo' }))
    const page = await pages.open('/#/jobs')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.postData() ?? ''))
    await page.evaluate((hash) => (location.hash = hash), `#/prompts/trip?args=${args}`)
    const pane = page.getByRole('article', { name: 'Plan a trip' })
    await pane.getByRole('combobox', { name: 'city' }).waitFor()
    await expect.poll(() => pane.getByRole('combobox', { name: 'city' }).inputValue()).toBe('Oslo')
    expect(asked.filter((body) => body.includes('prompts/get'))).toEqual([])
    await pane.getByRole('button', { name: 'Copy link' }).click()
    expect(new URL(page.url()).hash).toBe(`#/prompts/trip?args=${args}`)
  })

  it('that does not exist is named', async () => {
    const page = await pages.open('/#/prompts/none')
    await page.getByText('There is no prompt "none".').waitFor()
  })
})

describe('completion', () => {
  it('is used by keys alone, knows the other arguments, and is cancelled when it is stale', async () => {
    const { page, pane } = await openOffer('/#/prompts', 'Plan a trip')
    const asked: string[] = []
    page.on('request', (request) => {
      const body = request.postData() ?? ''
      if (body.includes('completion/complete')) asked.push(body)
    })
    const city = pane.getByRole('combobox', { name: 'city' })
    await city.focus()
    await page.keyboard.type('Ro', { delay: 20 })
    const offers = pane.getByRole('listbox', { name: 'Suggestions' })
    await expect
      .poll(() => offers.getByRole('option').allTextContents())
      .toEqual(['Rome', 'Rotterdam'])
    expect(await city.getAttribute('aria-expanded')).toBe('true')
    expect(await violations(page)).toEqual([])
    await shoot(page, 'mcp-completion')
    // Two keys in a row are one request.
    expect(asked).toHaveLength(1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const active = await city.getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${active}"]`).textContent()).toBe('Rotterdam')
    await page.keyboard.press('Enter')
    expect(await city.inputValue()).toBe('Rotterdam')
    expect(await offers.isVisible()).toBe(false)
    await page.keyboard.press('Tab')
    await page.keyboard.type('New')
    const option = pane.getByRole('option', { name: 'New Town of Rotterdam' })
    await option.waitFor()
    await page.keyboard.press('Escape')
    expect(await option.isVisible()).toBe(false)
    await page.keyboard.press('ArrowDown')
    await option.click()
    expect(await pane.getByRole('combobox', { name: 'district' }).inputValue()).toBe(
      'New Town of Rotterdam',
    )
  })

  it('that fails is quiet: the form works without it', async () => {
    const { page, pane } = await openOffer('/#/prompts', 'Plan a trip')
    await page.route('**/mcp', (route) =>
      route.request().postData()?.includes('completion/complete')
        ? route.fulfill({ status: 500, body: 'broken' })
        : route.continue(),
    )
    const failed = page.waitForResponse((response) => response.status() === 500)
    await pane.getByRole('combobox', { name: 'city' }).fill('R')
    await failed
    await pane.getByRole('combobox', { name: 'city' }).fill('Rome')
    await pane.getByRole('button', { name: 'Get messages' }).click()
    await pane.getByText('Gladly').waitFor()
    expect(await pane.getByRole('alert').count()).toBe(0)
  })
})

describe('a resource', () => {
  it.each([
    ['All notes', 'notes:', 'application/json'],
    ['Read me', '<script>document.title = "owned"</script>', 'text/markdown'],
    ['Cover', '10 × 10', 'image/png'],
    ['Archive', 'Download archive.bin (5 bytes)', 'application/zip'],
  ])('%s is shown by its media type', async (title, text, type) => {
    const { page, pane, results } = await openOffer('/#/resources', title)
    await results.getByText(text, { exact: false }).first().waitFor()
    await pane.getByText(type).first().waitFor()
    expect(await wasOwned(page)).toBe(false)
    expect(await violations(page)).toEqual([])
    await shoot(page, `mcp-resource-${title.replace(' ', '-')}`)
  })

  it('of bytes is downloaded as they are', async () => {
    const { page, results } = await openOffer('/#/resources', 'Archive')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      results.getByRole('button', { name: /Download/ }).click(),
    ])
    expect(download.suggestedFilename()).toBe('archive.bin')
    expect([...(await readFile((await download.path()) ?? ''))]).toEqual([80, 75, 3, 4, 255])
  })

  it('of a link waits until the user reads it, and subscriptions are said not to be offered', async () => {
    const page = await pages.open(`/#/resources/${encodeURIComponent('notes://readme')}`)
    const pane = page.getByRole('article', { name: 'Read me' })
    await pane.getByText('Read it: its contents appear here.').waitFor()
    await pane.getByText('The server does not report changes of resources.').waitFor()
    await pane.getByRole('button', { name: 'Read', exact: true }).click()
    await pane.getByText('# Notes').waitFor()
  })

  it('that the server does not know has the reason', async () => {
    const page = await pages.open(`/#/resources/${encodeURIComponent('notes://')}`)
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    const results = page.getByRole('region', { name: 'Results' })
    await results.getByText('failed').waitFor()
    await results.locator('.problem').waitFor()
  })
})

it('a template is filled with its variables, which are encoded, and completed', async () => {
  const { page, pane, results } = await openOffer('/#/resources', 'A note of a city')
  const city = pane.getByRole('combobox', { name: 'city' })
  await city.fill('Os')
  await pane.getByRole('option', { name: 'Oslo' }).click()
  await pane.getByRole('combobox', { name: 'path' }).fill('a/b c')
  await pane.getByText('notes://Oslo/a/b%20c').waitFor()
  await pane.getByRole('button', { name: 'Read', exact: true }).click()
  await results.getByText('The note a/b c of Oslo').waitFor()
  expect(await violations(page)).toEqual([])
  await shoot(page, 'mcp-template')
})

it('the palette goes to prompts, resources and the server', async () => {
  const { page } = await openOffer('/#/prompts', 'hello')
  const find = async (text: string, option: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /Go to/ }).fill(text)
    await page.getByRole('option', { name: option }).first().click()
  }
  await find('plan a trip', 'Plan a trip')
  await page.getByRole('article', { name: 'Plan a trip' }).waitFor()
  await find('resources', 'Resources')
  await page.getByRole('heading', { name: 'Resources', level: 1 }).waitFor()
  await find('mcp server', 'MCP server')
  await page.getByRole('article', { name: 'This gateway' }).waitFor()
})

describe('the server', () => {
  it('has its protocol, what it offers and does not offer, and answers a ping', async () => {
    const page = await pages.open('/#/server')
    const pane = page.getByRole('article', { name: 'This gateway' })
    await pane.getByRole('button', { name: 'Connect', exact: true }).click()
    await pane.getByText('2026-07-28').waitFor()
    await pane.getByText('Completion of arguments: offered').waitFor()
    await pane.getByText('Subscriptions to resources: not offered').waitFor()
    await pane.getByText('The server offers no log messages.').waitFor()
    await pane.getByRole('button', { name: 'Ping' }).click()
    await pane.getByText(/Answered in [\d.]+ ms/).waitFor()
    expect(await violations(page)).toEqual([])
    await shoot(page, 'mcp-server')
  })

  it('without prompts and resources says that it offers none', async () => {
    const page = await pages.open('/#/jobs')
    await page.route('**/mcp', async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { result?: { capabilities?: object } }
      if (body.result?.capabilities) body.result.capabilities = { tools: {} }
      await route.fulfill({ response, json: body })
    })
    await page.evaluate(() => (location.hash = '#/prompts'))
    await page.getByText('This gateway offers no prompts.').waitFor()
    await page
      .getByRole('navigation', { name: 'Parts of the workbench' })
      .getByText('Resources')
      .click()
    await page.getByText('This gateway offers no resources.').waitFor()
    expect(await violations(page)).toEqual([])
  })
})
