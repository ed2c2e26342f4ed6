// The view Code: programs are written with completion, run, and their calls are shown.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from '../axe.ts'
import { shoot } from '../browser.ts'
import { editor, output, run, useCodePage, write } from './use-code-page.ts'

const pages = useCodePage()
const done = (page: Page) => output(page).getByText('Done', { exact: true }).waitFor()

it('runs a program, and shows its result, its console and its calls', async () => {
  const page = await pages.open()
  await run(
    page,
    `const cities = ['Rome', 'Oslo', 'Quito']
const all = await Promise.all(cities.map((city) => tools.weather.forecast({ city })))
console.log('looked at', all.length)
console.warn('and so on')
await tools.weather.slow({ ms: 300 })
return all.map(({ city, days }) => ({ city, rain: days[1].rain }))`,
  )
  await done(page)
  await output(page).getByText('"Quito"').waitFor()
  await output(page).getByText('looked at 3').waitFor()
  const calls = output(page).locator('.waterfall li')
  expect(await calls.count()).toBe(4)
  const slow = calls.nth(3)
  expect(await slow.locator('.call-time').textContent()).toMatch(/^(3\d\d|[4-9]\d\d) ms$/)
  // It began when the others had ended, so its bar is the longest.
  const widths = await output(page)
    .locator('.track > span')
    .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width))
  expect(Math.max(...widths)).toBe(widths[3])
  await calls.first().locator('summary').first().click()
  await calls.first().getByText('"Rome"').first().waitFor()
  await shoot(page, 'code-run')
})
