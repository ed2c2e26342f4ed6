// Thousands of tools in the list of the workbench: search, keys and the focus.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { violations } from './axe.ts'
import { fakeTools } from './figures/tool-list.ts'
import { usePage } from './use-page.ts'

const pages = usePage()

async function withTools(count: number): Promise<Page> {
  const page = await pages.open('/#/jobs')
  await fakeTools(page, count)
  await page.evaluate(() => (location.hash = '#/tools'))
  await page.locator('.tool-row').first().waitFor()
  return page
}

it('has 2,000 tools, of which those in sight are in the document', async () => {
  const page = await withTools(2000)
  expect(await page.locator('.tool-row').count()).toBeLessThan(60)
  await page.getByLabel('Search tools').fill('NEEDLES finds')
  await expect.poll(() => page.locator('.tool-row').count()).toBe(1)
  expect(await violations(page)).toEqual([])
})

it('is walked by keys, from the search to the end and back', async () => {
  const page = await withTools(500)
  const focused = () =>
    page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['name'])
  await page.getByLabel('Search tools').focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toBe('tool_0')
  await page.keyboard.press('End')
  await expect.poll(focused).toBe('tool_499')
  await page.keyboard.press('Home')
  await expect.poll(focused).toBe('tool_0')
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toBe('tool_1')
  await page.keyboard.press('Enter')
  await page.getByRole('article', { name: 'tool 1' }).waitFor()
})

it('does not take the focus back when the next key has led on', async () => {
  const page = await withTools(20)
  const focused = await page.evaluate(async () => {
    document.querySelector<HTMLElement>('.tool-row a')?.focus()
    document.getElementById('offer-search')?.focus()
    await new Promise((resolve) => setTimeout(resolve, 500))
    return document.activeElement?.id
  })
  expect(focused).toBe('offer-search')
})
