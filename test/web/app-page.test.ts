// MCP Apps in the workbench: what an app gets from the page, and what it may ask of it.
import { expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { openHosted, printed } from './hosted-apps.ts'
import { usePage } from './use-page.ts'

const pages = usePage()

it('an app gets its call, the result and the look of the page', async () => {
  const hosted = await openHosted(pages, 'print(hello.hostContext.toolInfo.tool.name)')
  const { page, app, view } = hosted
  await view.getByText('result answer of puppet').waitFor()
  expect(await printed(hosted)).toContain('puppet')
  await expect
    .poll(() => app.locator('.app-frame').evaluate((frame) => frame.clientHeight))
    .toBe(180)
  const back = () => view.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
  expect(await back()).toBe('rgb(255, 255, 255)')
  expect(await violations(page)).toEqual([])
  await shoot(page, 'hosted-app')
  await page.evaluate(() => document.querySelector<HTMLElement>('.theme-button')?.click())
  await page.emulateMedia({ colorScheme: 'dark' })
})
