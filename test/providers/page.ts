/** A user of the gateway's page, in Chromium. */
import type { Page } from 'playwright-core'
import { launch } from '../web/browser.ts'
import { openWindow, signInButton } from '../web/sign-in-world.ts'
import { openTool } from '../web/use-page.ts'
import { ADA, PASS_PHRASE } from './provider.ts'
import type { World } from './world.ts'

/** A busy machine takes its time. */
const LIMIT_MS = 60_000

/** Signs in, computes a sum, and signs out. */
export async function signInOnPage(
  path: string,
  { gateway, provider }: World,
): Promise<{ name: string; result: string }> {
  provider.become?.(ADA)
  const browser = await launch(path)
  try {
    const context = await browser.newContext()
    context.setDefaultTimeout(LIMIT_MS)
    const page = await context.newPage()
    await page.goto(gateway.url)
    const window = await openWindow(page)
    const account = page.getByRole('button', { name: /^Signed in as/ })
    await Promise.all([account.waitFor(), fillIn(window)]).catch(async (error: Error) => {
      const pages = window.isClosed() ? [page] : [page, window]
      const shown = pages.map(
        async (each) => `${each.url()}\n${await each.locator('body').innerText()}`,
      )
      throw new Error([error.message, ...(await Promise.all(shown))].join('\n\n'))
    })
    const name = (await account.innerText()).trim()
    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    await openTool(page, 'Calculator')
    await page.getByLabel('expression').fill('6*7')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const outcome = page.locator('.outcome').getByText('42').first()
    await outcome.waitFor()
    const result = (await outcome.innerText()).trim()
    await account.click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await signInButton(page).waitFor()
    return { name, result }
  } finally {
    await browser.close()
  }
}

const SECRET = 'input[type=password]'
const ALLOWING = /allow|authori[sz]e|accept|grant|yes/i

/** Fills in what the authorization server asks, until it closes its window. */
async function fillIn(window: Page): Promise<void> {
  while (!window.isClosed()) {
    try {
      const secret = window.locator(SECRET)
      if (await secret.isVisible()) {
        await window
          .locator('input[name=username], input[name=login], input[type=email]')
          .first()
          .fill(ADA)
        await secret.fill(PASS_PHRASE)
        await secret.press('Enter')
      } else {
        const allow = window.getByRole('button', { name: ALLOWING }).first()
        if (await allow.isVisible()) await allow.click()
      }
      await window.waitForTimeout(300)
    } catch (error) {
      // It closes whenever the sign-in has ended.
      if (!window.isClosed()) throw error
    }
  }
}
