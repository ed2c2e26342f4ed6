// What differs between browsers, in Debian's Firefox. All that the storyboard does is tested there, too.
import { mkdtempSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { fillConversation, LONG } from './figures/conversation.ts'
import { say, usePage } from './use-page.ts'

const CODE = '```ts\nexport const answer: number = 42\n```\n'
const SCRIPT = [
  { when: 'long', turns: [{ content: LONG }] },
  { when: 'code', turns: [{ content: CODE }] },
  { turns: [{ content: 'Good day.' }] },
]
const downloadsPath = mkdtempSync(join(tmpdir(), 'ftl-downloads-'))
afterAll(() => rm(downloadsPath, { recursive: true, force: true }))
const world = { browser: 'firefox', renderSeconds: 0.3, wordDelayMs: 5, script: SCRIPT } as const
const pages = usePage({ ...world, launch: { downloadsPath } })

const conversations = (page: Page) =>
  page.getByRole('region', { name: 'Conversations' }).getByRole('listitem')

async function open(path = '/'): Promise<Page> {
  const page = await pages.open(path)
  await page.getByText('You are talking to demo').waitFor()
  return page
}

it('a long conversation is read while an answer arrives: the wheel scrolls smoothly away from the end', async () => {
  const page = await pages.open('/#/jobs')
  await fillConversation(page, pages.world.url, 20)
  await say(page, 'a long answer')
  await page.locator('[aria-busy="true"] .markdown li').nth(4).waitFor()
  await page.mouse.move(600, 300)
  await page.mouse.wheel(0, -900)
  const jump = page.getByRole('button', { name: 'Jump to latest' })
  await jump.waitFor()
  await jump.click()
  await expect.poll(() => jump.count()).toBe(0)
})

describe('the browser gives the page', () => {
  it('the keys Ctrl and K, and the focus goes back when the dialog closes', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Settings' }).focus()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to a page' }).waitFor()
    await page.keyboard.type('calc')
    await page
      .getByRole('option', { name: /calculator/ })
      .first()
      .waitFor()
    for (let presses = 0; presses < 4; presses++) {
      await page.keyboard.press('Tab')
      const outside = () =>
        document.activeElement?.closest('dialog, body > :not(dialog)')?.localName
      // Tab may lead to the browser's own bar, then nothing of the page has the focus.
      expect(await page.evaluate(outside)).not.toBe('main')
    }
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    const name = () => document.activeElement?.textContent
    expect(await page.evaluate(name)).toContain('Settings')
  })

  it('a clipboard without asking for permission', async () => {
    const page = await open()
    await say(page, 'code, please')
    await page.locator('.markdown').getByRole('button', { name: 'Copy' }).press('Enter')
    await page.getByText('Copied').waitFor()
    await page.getByLabel('Message').focus()
    await page.keyboard.press('Control+v')
    await expect
      .poll(() => page.getByLabel('Message').inputValue())
      .toContain('export const answer: number = 42')
  })

  it('files that are dropped on it', async () => {
    const page = await pages.open('/#/jobs')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['words'], 'notes.txt', { type: 'text/plain' }))
      const settings = { bubbles: true, cancelable: true, dataTransfer }
      for (const type of ['dragover', 'drop']) {
        document.querySelector('main')?.dispatchEvent(new DragEvent(type, settings))
      }
    })
    const attached = page.getByRole('list', { name: 'Attached files' })
    await attached.getByText('notes.txt').waitFor()
  })
})

describe('the policy of the page', () => {
  it('is enforced: text is never markup, and no script or style is added', async () => {
    const page = await open()
    const refused = await page.evaluate(() => {
      const attempts: Record<string, () => unknown> = {
        markup: () => (document.createElement('div').innerHTML = '<b>x</b>'),
        script: () => (document.createElement('script').text = 'globalThis.owned = 1'),
        policy: () =>
          (
            globalThis as unknown as {
              trustedTypes: { createPolicy(name: string, of: object): void }
            }
          ).trustedTypes.createPolicy('evil', {}),
      }
      return Object.entries(attempts).flatMap(([name, attempt]) => {
        try {
          attempt()
          return []
        } catch (error) {
          return error instanceof TypeError ? name : []
        }
      })
    })
    expect(refused).toEqual(['markup', 'script', 'policy'])
    // It is reported, too.
    const reports: string[] = []
    await expect
      .poll(() => reports.push(...pages.takeProblems()))
      .toBeGreaterThanOrEqual(refused.length)
    expect(reports.filter((text) => !/trusted/i.test(text))).toEqual([])
  })
})

it('the activity arrives as a stream, and goes on after the connection was lost', async () => {
  const page = await pages.open('/#/activity')
  const live = page.getByText('live', { exact: true })
  await live.waitFor()
  const row = page.locator('.request-head').filter({ hasText: 'echo' })
  await call('echo')
  await row.first().waitFor()
  const before = await row.count()
  await page.context().setOffline(true)
  await page.getByText('connection lost; trying again').waitFor()
  await call('echo')
  await page.context().setOffline(false)
  await live.waitFor()
  await expect.poll(() => row.count()).toBe(before + 1)
})

it('a mask is painted with the keyboard alone', async () => {
  const page = await open()
  const chips = page.getByRole('group', { name: 'Settings for pictures' })
  await chips.getByRole('button', { name: 'Draw at once' }).press('Enter')
  await say(page, 'a pond')
  await page.locator('.picture-grid .thumbnail').press('Enter')
  await page.getByRole('button', { name: 'Use as input' }).press('Enter')
  await chips.getByRole('button', { name: /^Image/ }).press('Enter')
  await chips.getByRole('button', { name: 'Paint a mask' }).press('Enter')
  const canvas = page.getByRole('application')
  await expect.poll(() => canvas.evaluate((one) => (one as HTMLCanvasElement).width)).toBe(1024)
  await canvas.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('z')
  const use = page.getByRole('button', { name: 'Use this mask' })
  expect(await use.isDisabled()).toBe(true)
  await page.keyboard.press('Space')
  await use.press('Enter')
  await chips.getByText('Only what you have painted changes.').waitFor()
  // Playwright does not read bodies of requests in this browser: the answer names the way it was made.
  await say(page, 'a frog')
  await page.getByText('(Repaint)').waitFor()
})

describe('in private browsing', () => {
  const pages = usePage({
    ...world,
    launch: { firefoxUserPrefs: { 'browser.privatebrowsing.autostart': true } },
  })
  it('conversations are stored until the window is closed', async () => {
    const page = await pages.open()
    await say(page, 'a lighthouse at dusk')
    await page.getByText('Good day.').waitFor()
    await page.reload()
    await conversations(page).getByText('a lighthouse at dusk').waitFor()
    expect(await page.getByText('does not let the page store anything').count()).toBe(0)
  })
})

it('conversations are stored, found after a reload, and exported as a file', async () => {
  const page = await open()
  await say(page, 'a lighthouse at dusk')
  await page.getByText('Good day.').waitFor()
  await conversations(page).getByText('a lighthouse at dusk').waitFor()
  await page.reload()
  await page.locator('.from-user').getByText('a lighthouse at dusk').waitFor()
  await conversations(page).first().getByRole('button', { name: 'More for' }).press('Enter')
  await conversations(page).getByRole('button', { name: 'Export as JSON' }).press('Enter')
  // Playwright does not report downloads of the page's own bytes in this browser.
  const file = join(downloadsPath, 'a lighthouse at dusk.json')
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('"Good day."')
})

async function call(name: string): Promise<void> {
  const params = { name, arguments: { message: 'hi' } }
  const response = await fetch(`${pages.world.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  await response.text()
}
