// Ctrl+K finds pages, tools, conversations and jobs, by the keyboard alone, also among 2,000 tools.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { say, usePage } from './use-page.ts'

const pages = usePage()

const box = (page: Page) => page.getByRole('combobox', { name: 'Go to a page' })
const selected = (page: Page) => page.locator('[role="option"][aria-selected="true"]')

async function openPalette(page: Page): Promise<void> {
  // A page that is loaded again takes no keys before it is drawn.
  await page.getByRole('button', { name: 'Find' }).waitFor()
  // A dialog that goes still takes the keys.
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.keyboard.press('Control+k')
  await box(page).waitFor()
}

it('goes to a tool, a page, a conversation and a job, and gives the focus back', async () => {
  const page = await pages.open()
  await page.getByText('Generate image').waitFor()
  await say(page, '/generate_image a lighthouse in fog')
  await page.locator('.card[data-state="completed"]').waitFor()
  await page.getByRole('button', { name: 'Find' }).focus()
  await openPalette(page)
  expect(await violations(page)).toEqual([])
  await shoot(page, 'palette')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Find')

  await openPalette(page)
  await page.keyboard.type('calc')
  await expect.poll(() => selected(page).textContent()).toContain('calculator')
  const active = await box(page).getAttribute('aria-activedescendant')
  expect(await selected(page).getAttribute('id')).toBe(active)
  await page.keyboard.press('Enter')
  await page.locator('main[data-view="tools"]').waitFor()
  expect(new URL(page.url()).hash).toBe('#/tools/calculator')

  await openPalette(page)
  await page.keyboard.type('lighthouse')
  const groups = page.getByRole('dialog').getByRole('group')
  await expect.poll(() => groups.count()).toBe(2)
  // The job's name begins with it.
  expect(await groups.first().getAttribute('aria-label')).toBe('Jobs')
  await page.keyboard.press('Enter')
  await page.locator('main[data-view="jobs"]').waitFor()
  await openPalette(page)
  await page.keyboard.type('lighthouse')
  await expect.poll(() => groups.count()).toBe(2)
  await page.keyboard.press('ArrowUp')
  await expect
    .poll(() => selected(page).locator('xpath=..').getAttribute('aria-label'))
    .toBe('Conversations')
  await page.keyboard.press('Enter')
  await page.locator('main[data-view="chat"]').waitFor()
})

it('the theme goes round by its button and by the palette, and stays', async () => {
  const page = await pages.open('/', { colorScheme: 'light' })
  const chosen = () => page.evaluate(() => document.documentElement.dataset['theme'])
  await page.getByRole('button', { name: 'Theme: as the system' }).click()
  expect(await chosen()).toBe('light')
  await page.getByRole('button', { name: 'Theme: light' }).click()
  expect(await chosen()).toBe('dark')
  await page.reload()
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
  expect(await chosen()).toBe('dark')
  await openPalette(page)
  expect(await violations(page)).toEqual([])
  await shoot(page, 'palette-dark')
  await page.keyboard.type('system')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Theme: as the system' }).waitFor()
  // Anything can be in the browser's storage.
  await page.evaluate(() => localStorage.setItem('ftl.theme', '{"choice":"__proto__"}'))
  await page.reload()
  await page.getByRole('button', { name: 'Theme: as the system' }).waitFor()
})

it('says that nothing is found, and is a sheet on a phone', async () => {
  const page = await pages.open('/', { viewport: { width: 390, height: 780 } })
  await page.getByRole('button', { name: 'Find' }).click()
  await box(page).fill('<img src=x onerror=alert(1)>')
  await page.getByText('Nothing is named like').waitFor()
  expect(await box(page).getAttribute('aria-expanded')).toBe('false')
  await page.keyboard.press('Enter')
  expect(await violations(page)).toEqual([])
  await box(page).fill('')
  await shoot(page, 'palette-phone')
})

it('finds one of 2,000 tools in less than 50 ms', async () => {
  const page = await pages.open('/#/jobs')
  const tools = Array.from({ length: 2_000 }, (_, index) => ({
    name: `server_${index % 40}__do_the_thing_${index}`,
    description: 'What the tool does, at some length. '.repeat(8),
    inputSchema: { type: 'object' },
  }))
  await page.route('**/tools', (request) => request.fulfill({ json: { tools } }))
  await page.reload()
  await openPalette(page)
  await page.getByText('type to find the others').waitFor()
  const find = (query: string) =>
    box(page).evaluate(async (element, value) => {
      const input = element as HTMLInputElement
      const start = performance.now()
      input.value = value
      input.dispatchEvent(new Event('input', { bubbles: true }))
      // Preact draws in a microtask or soon after: wait until the list is that of this query.
      const wanted = () => document.querySelector('[role="listbox"]')?.getAttribute('data-query')
      while (wanted() !== value) await new Promise((resolve) => setTimeout(resolve))
      // Layout is part of what a user waits for.
      document.querySelector('[role="listbox"]')?.getBoundingClientRect()
      return performance.now() - start
    }, query)
  // Other programs of a busy machine can take any moment: the best median of some rounds is what the page takes.
  let best = Infinity
  for (let round = 0; round < 5 && best >= 50; round++) {
    const times: number[] = []
    for (const query of ['t', 'thing', 'dtt', 'thing_1999', 'server 1999']) {
      times.push(await find(query))
    }
    console.log(`2,000 tools: ${times.map((ms) => ms.toFixed(1)).join(', ')} ms`)
    expect(await selected(page).textContent()).toContain('do_the_thing_1999')
    best = Math.min(best, times.sort((a, b) => a - b)[2] ?? Infinity)
  }
  expect(best).toBeLessThan(50)
  expect(await page.getByRole('listbox').getByRole('option').count()).toBeLessThanOrEqual(50)
})
