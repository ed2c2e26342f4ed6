// What the user has typed, opened and received stays, wherever they go and whatever the gateway does.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { answerText, openTool, say, usePage } from './use-page.ts'

const pages = usePage({ script: [{ turns: [{ content: 'Good day.' }] }] })

const go = (page: Page, view: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click()
const form = (page: Page) => page.getByRole('article', { name: 'Every kind of argument' })

/** A gateway that does not listen, on a network that works. */
async function takeDown(page: Page): Promise<() => Promise<void>> {
  const path = /:\d+\/(?!app\/|$)/
  await page.route(path, (route) => route.abort('connectionrefused'))
  return () => page.unroute(path)
}

describe('a gateway that is down', () => {
  it('is reported once, keeps what was typed, and the page goes on when it is back', async () => {
    const page = await pages.open()
    await page.getByText('You are talking to demo').waitFor()
    const bringBack = await takeDown(page)
    await say(page, 'a message that must not be lost')
    await page.getByText('The gateway cannot be reached.').waitFor()
    await expect
      .poll(() => page.getByLabel('Message').inputValue())
      .toBe('a message that must not be lost')
    expect(await page.locator('.message').count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await shoot(page, 'kept-down')
    for (const view of ['Tools', 'Jobs', 'Gallery']) {
      await go(page, view)
      expect(await page.getByText(/cannot be reached|broke|lost/).count(), view).toBe(1)
    }
    await go(page, 'Chat')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The gateway cannot be reached.').waitFor()
    await bringBack()
    // The page may be back by itself before the click.
    await Promise.race([
      page
        .getByRole('button', { name: /Try/ })
        .click()
        .catch(() => undefined),
      page.getByRole('alert').waitFor({ state: 'detached' }),
    ])
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await page.getByLabel('Message').press('Enter')
    await page.getByText('Good day.').waitFor()
    const sent = page.locator('.from-user').getByText('a message that must not be lost')
    expect(await sent.count()).toBe(1)
  })

  it('keeps the arguments in a form, and the call can be made later', async () => {
    const page = await pages.open('/#/tools/everything')
    await form(page).getByLabel('prompt').fill('kept')
    await form(page).getByLabel('count').fill('2')
    const bringBack = await takeDown(page)
    await form(page).getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('The gateway cannot be reached. What').waitFor()
    expect(await form(page).getByLabel('prompt').inputValue()).toBe('kept')
    await bringBack()
    // It comes back by itself.
    await expect.poll(() => page.getByText('The gateway cannot be reached. What').count()).toBe(0)
    await form(page).getByRole('button', { name: 'Run', exact: true }).click()
    expect(await answerText(form(page))).toContain('"kept"')
  })
})

describe('another view', () => {
  it('and back: the draft, open forms, results and the place on the page are as they were', async () => {
    const page = await pages.open()
    await page.getByText('You are talking to demo').waitFor()
    await page.getByLabel('Message').fill('half a sent')
    await go(page, 'Tools')
    await openTool(page, 'Every kind of argument')
    await form(page).getByLabel('prompt').fill('typed')
    await form(page).getByLabel('count').fill('4')
    await form(page).getByRole('button', { name: 'Run', exact: true }).click()
    expect(await answerText(form(page))).toContain('"typed"')
    await form(page).getByLabel('prompt').fill('typed later')
    const scrolled = () => page.locator('.bench-main').evaluate((pane) => pane.scrollTop)
    await page.setViewportSize({ width: 1440, height: 400 })
    await page.locator('.bench-main').evaluate((pane) => pane.scrollTo(0, 120))
    await expect.poll(scrolled).toBe(120)
    await go(page, 'Chat')
    expect(await page.getByLabel('Message').inputValue()).toBe('half a sent')
    await go(page, 'Tools')
    expect(await form(page).getByLabel('prompt').inputValue()).toBe('typed later')
    expect(await answerText(form(page))).toContain('"typed"')
    await expect.poll(scrolled).toBe(120)
  })
})

it('a form that was opened in the chat, and what was typed in it, stay in another view', async () => {
  const page = await pages.open()
  await page.getByText('You are talking to demo').waitFor()
  await say(page, '/everything')
  const opened = page.getByRole('region', { name: 'Arguments of everything' })
  await opened.getByLabel('prompt').fill('half of')
  await go(page, 'Jobs')
  await go(page, 'Chat')
  expect(await opened.getByLabel('prompt').inputValue()).toBe('half of')
})

describe('a link to a tool', () => {
  it('is made by the page, and fills the form of another one without calling anything', async () => {
    const page = await pages.open('/#/tools/everything')
    await form(page).getByLabel('prompt').fill('a & b?#=%')
    await form(page).getByLabel('count').fill('3')
    await form(page).getByRole('button', { name: 'Copy link' }).click()
    await form(page).getByText('It fills the form and calls nothing.').waitFor()
    const link = page.url()
    const other = await pages.tab(page, '/#/jobs')
    const posted: string[] = []
    other.on('request', (request) => request.method() === 'POST' && posted.push(request.url()))
    // The page is open already.
    await other.evaluate((to) => (location.href = to), link)
    await expect.poll(() => form(other).getByLabel('prompt').inputValue()).toBe('a & b?#=%')
    expect(await form(other).getByLabel('count').inputValue()).toBe('3')
    // Another link replaces it, also while the view is open.
    const args = encodeURIComponent('{"prompt":"second"}')
    await other.evaluate((hash) => (location.hash = hash), `#/tools/everything?args=${args}`)
    await expect.poll(() => form(other).getByLabel('prompt').inputValue()).toBe('second')
    expect(posted).toEqual([])
  })

  it.each([
    '%',
    '?args=',
    '?args={',
    '?args=[1]',
    '?args=null',
    '?args={"__proto__":{"x":1}}',
    '/x?y',
  ])('that is broken (%s) shows the tools', async (end) => {
    const page = await pages.open(`/#/tools/everything${end}`)
    await page.getByRole('link', { name: 'Every kind of argument' }).waitFor()
    expect(await page.evaluate(() => 'x' in {})).toBe(false)
  })
})
