// A call of a program that needs an approval: the page asks, also after a reload.
import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { violations } from '../axe.ts'
import { shoot } from '../browser.ts'
import { output, run, useCodePage } from './use-code-page.ts'

const KEY = `ftl_${createHash('sha256').update('ada').digest('base64url')}`
const pages = useCodePage({
  api_keys: JSON.stringify([
    { sha256: createHash('sha256').update(KEY).digest('hex'), principal: 'ada', scopes: [] },
  ]),
  policy: JSON.stringify({
    rules: [{ effect: 'ask', tools: ['remove_city'] }, { effect: 'allow' }],
  }),
})
const PROGRAM = `const before = await tools.weather.forecast({ city: 'Rome' })
const first = await tools.weather.remove_city({ city: 'Oslo' })
try { return [before.city, first, await tools.weather.remove_city({ city: 'Quito' })] }
catch (error) { return [before.city, first, error.code] }`

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Approve this call?' })

async function signIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'API key' }).fill(KEY)
  await page.getByRole('textbox', { name: 'API key' }).press('Enter')
  await page.getByRole('textbox', { name: 'Program' }).waitFor()
}

it('is asked for in the dialog of the page, for each call', async () => {
  const page = await pages.open()
  await signIn(page)
  await run(page, PROGRAM)
  await dialog(page).getByText('Oslo').waitFor()
  await output(page).getByText('Waits for your approval').waitFor()
  expect(await dialog(page).getByText('weather', { exact: true }).count()).toBe(1)
  expect(await dialog(page).getByText('your program, on this page').count()).toBe(1)
  expect(await violations(page)).toEqual([])
  await shoot(page, 'code-approval')
  await dialog(page).locator('[aria-disabled="false"]').click()
  await dialog(page).getByText('Quito').waitFor()
  await page.keyboard.press('Escape')
  await output(page).getByText('"removed Oslo"').waitFor()
  await output(page).getByText('"not_approved"').waitFor()
  await output(page).getByText('The run was started again').waitFor()
})

it('is asked for again after a reload', async () => {
  const page = await pages.open()
  await signIn(page)
  await run(page, PROGRAM.replace("tools.weather.remove_city({ city: 'Quito' })", '"end"'))
  await dialog(page).getByText('Oslo').waitFor()
  await page.reload()
  await signIn(page)
  await dialog(page).getByText('Oslo').waitFor()
  await dialog(page).locator('[aria-disabled="false"]').click()
  await output(page).getByText('"removed Oslo"').waitFor()
})

/** As in a page that has much to do: nothing is painted, and what is to happen within a few frames happens after a second. */
function paintsLate(): void {
  const later = window.setTimeout.bind(window)
  window.requestAnimationFrame = () => 0
  window.setTimeout = ((work: () => void, ms = 0) =>
    later(work, ms > 0 && ms < 50 ? 1000 : ms)) as typeof window.setTimeout
}

it('a question that comes right after another one is shown, where the page paints late', async () => {
  const page = await pages.open()
  await page.addInitScript(paintsLate)
  await page.reload()
  await signIn(page)
  await run(page, PROGRAM)
  await dialog(page).getByText('Oslo').waitFor()
  await dialog(page).locator('[aria-disabled="false"]').click()
  await dialog(page).getByText('Quito').waitFor()
  await dialog(page).locator('[aria-disabled="false"]').click()
  await output(page).getByText('"removed Quito"').waitFor()
})
