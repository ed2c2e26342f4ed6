// The page works for users with low vision, without a mouse, and with a small screen.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { openTool, pixels, say, usePage } from './use-page.ts'

const pages = usePage()
const VIEWS = ['chat', 'gallery', 'tools', 'jobs'] as const
const WIDTHS = [375, 768, 1440]

/** Something in every view. */
async function filled(options: Parameters<typeof pages.open>[1] = {}): Promise<Page> {
  const page = await pages.open('/', options)
  await page.getByText('Generate image').waitFor()
  await say(page, '/generate_image a quiet village under snow, seen from the hill')
  await pixels(page)
  await say(page, '/markup')
  await page.getByText('Not a title').waitFor()
  return page
}

async function go(page: Page, view: (typeof VIEWS)[number]): Promise<void> {
  await page.evaluate((name) => (location.hash = `#/${name}`), view)
  await page.locator(`main[data-view="${view}"]`).waitFor()
  if (view === 'tools') {
    await page.getByText('generate-image').waitFor()
    await openTool(page, 'Every kind of argument')
  }
}

/** What goes beyond the screen, for the message. */
async function widest(page: Page): Promise<string> {
  return page.evaluate(() => {
    const wide = [...document.querySelectorAll('main *')].filter(
      (element) => element.getBoundingClientRect().right > document.documentElement.clientWidth,
    )
    return wide.map((element) => `${element.tagName}.${element.className}`).join(' ')
  })
}

it.each(['light', 'dark'] as const)('axe has nothing to say of any view, %s', async (scheme) => {
  const page = await filled({ colorScheme: scheme, reducedMotion: 'reduce' })
  for (const view of VIEWS) {
    await go(page, view)
    expect(await violations(page), view).toEqual([])
    await shoot(page, `${view}-${scheme}`)
  }
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByText('Components the model may use').waitFor()
  await page.getByText('calculator').first().waitFor()
  expect(await violations(page), 'settings').toEqual([])
  await shoot(page, `settings-${scheme}`)
})

it('the theme can be chosen, and stays', async () => {
  const page = await pages.open('/', { colorScheme: 'light' })
  const ground = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await ground()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Dark').check()
  const dark = await ground()
  expect(dark).not.toBe(light)
  await page.reload()
  await page.getByLabel('Message').waitFor()
  expect(await ground()).toBe(dark)
})

it.each(WIDTHS)('nothing is wider than a screen of %s pixels', async (width) => {
  const page = await filled({ viewport: { width, height: width === 375 ? 740 : 900 } })
  for (const view of VIEWS) {
    await go(page, view)
    await page
      .locator('details')
      .evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')))
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return { scrollWidth, clientWidth }
    })
    expect(scrollWidth, `${view}: ${await widest(page)}`).toBeLessThanOrEqual(clientWidth)
    await shoot(page, `${view}-${width}`)
  }
  const navigation = await page.getByRole('navigation').boundingBox()
  const isBelow = (navigation?.y ?? 0) > 400
  expect(isBelow).toBe(width === 375)
})

it('a phone has targets a thumb can meet', async () => {
  const page = await filled({ viewport: { width: 375, height: 740 }, hasTouch: true })
  const small = await page.locator('button:visible, nav a:visible').evaluateAll((all) =>
    all.flatMap((element) => {
      const { width, height } = element.getBoundingClientRect()
      // WCAG 2.2, 2.5.8.
      return width < 24 || height < 24 ? [element.outerHTML] : []
    }),
  )
  expect(small).toEqual([])
})

it('everything is done with the keyboard alone', async () => {
  const page = await pages.open()
  await page.getByText('Generate image').waitFor()
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
    })
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Skip to the content')
  await page.keyboard.press('Enter')
  for (let i = 0; i < 20 && (await focused()) !== 'Message'; i++) await page.keyboard.press('Tab')
  await page.keyboard.type('/calc')
  await page.getByRole('option', { name: '/calculator' }).waitFor()
  await shoot(page, 'chat-suggestions')
  await page.keyboard.press('Enter')
  await page.keyboard.type('6*7')
  await page.keyboard.press('Enter')
  await page.getByText('42', { exact: true }).waitFor()
  // The form, with its first field in focus, and out of it again.
  await page.keyboard.type('/every')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('prompt')
  await page.keyboard.type('typed')
  await page.keyboard.press('Tab')
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await page.getByText('"prompt":"typed"').waitFor()
  await expect.poll(focused).toBe('Message')
  // A view, and its heading in focus.
  await page.getByRole('link', { name: 'Jobs' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  expect(await focused()).toBe('Jobs')
  // The drawer gives the focus back.
  await page.getByRole('button', { name: 'Settings' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  expect(await focused()).toBe('Settings')
})

it('events are announced to screen readers', async () => {
  const page = await pages.open()
  await page.getByText('Generate image').waitFor()
  const status = page.locator('.unseen[aria-live="polite"]')
  expect(await status.getAttribute('role')).toBe('status')
  await say(page, '/calculator 1+1')
  await expect.poll(() => status.textContent()).toBe('The answer is complete.')
  await say(page, '/nonexistent')
  // An alert is announced by itself: the status must not repeat it.
  await page.getByRole('alert').getByText('There is no tool "nonexistent".').waitFor()
  expect(await status.textContent()).toBe('')
})
