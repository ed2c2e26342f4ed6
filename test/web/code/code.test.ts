// The view Programs: they are written with completion, run, and their calls are shown.
import { brotliCompressSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from '../axe.ts'
import { shoot } from '../browser.ts'
import { editor, output, run, useCodePage, write } from './use-code-page.ts'

const pages = useCodePage()
const done = (page: Page, timeout?: number) =>
  output(page).getByText('Done', { exact: true }).waitFor({ timeout })
const lines = (page: Page) => editor(page).locator('.cm-line').allTextContents()
const offered = (page: Page) => page.locator('.cm-tooltip-autocomplete li .cm-completionLabel')

describe('a run', () => {
  it('shows its result, its console and its calls', async () => {
    const page = await pages.open()
    await run(
      page,
      `const cities = ['Rome', 'Oslo', 'Quito']
const all = await Promise.all(cities.map((city) => tools.weather.forecast({ city })))
console.log('looked at', all.length)
console.warn('and so on')
try { await tools.weather.forecast({ city: 'Atlantis' }) } catch {}
await tools.weather.slow({ ms: 400 })
return all.map(({ city, days }) => ({ city, rain: days[1].rain }))`,
    )
    await done(page)
    await output(page).getByText('"Quito"').waitFor()
    await output(page).getByText('looked at 3').waitFor()
    const calls = output(page).locator('.waterfall > li')
    expect(await calls.count()).toBe(5)
    expect(await calls.nth(3).locator('.call-words').textContent()).toBe('tool_error')
    expect(await calls.nth(4).locator('.call-time').textContent()).toMatch(/^(4|5|6|7|8|9)\d\d ms$/)
    // The last one began when the others had ended.
    const bars = await output(page)
      .locator('.track > span')
      .evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect()))
    expect(bars[4]?.left).toBeGreaterThanOrEqual(bars[2]?.right ?? Infinity)
    await calls.nth(0).locator('summary').first().press('Enter')
    await calls.nth(0).getByText('"Rome"').first().waitFor()
    await calls.nth(3).locator('summary').first().press('Enter')
    await calls.nth(3).getByText('there is no such city').waitFor()
    expect(await violations(page)).toEqual([])
    await shoot(page, 'code-run')
  })

  it('that fails is marked at its line, until the program is changed', async () => {
    const page = await pages.open()
    await run(page, 'const list: number[] = []\n\nreturn list[0].toFixed(2)')
    await output(page).getByText('TypeError').waitFor()
    const mark = page.locator('.cm-lintRange-error')
    expect(await mark.textContent()).toBe('list')
    await editor(page).press('Control+Home')
    await output(page).getByRole('button', { name: 'Line 3, column' }).click()
    await page.keyboard.type('// ')
    expect((await lines(page))[2]).toMatch(/^return .*\/\/ /)
    await expect.poll(() => mark.count()).toBe(0)
    await shoot(page, 'code-error')
  })

  it('that does not parse is marked, too', async () => {
    const page = await pages.open()
    await run(page, 'return 1\nconst = 3')
    await output(page).getByText('SyntaxError').waitFor()
    await output(page)
      .getByRole('button', { name: /^Line 2, / })
      .waitFor()
    await expect.poll(() => page.locator('.cm-lintRange-error').count()).toBe(1)
  })

  it('is stopped, and the next one runs', async () => {
    const page = await pages.open()
    await run(page, 'for (;;) await sleep(100)')
    await page.getByRole('button', { name: 'Stop' }).click()
    await output(page).getByText('You stopped the run.').waitFor()
    await run(page, 'return 6 * 7')
    await output(page).getByText('42').waitFor()
  })

  it('reports its progress, goes on through a reload, and its end is shown', async () => {
    const page = await pages.open()
    await run(
      page,
      `for (let step = 1; step <= 25; step++) { progress(step, 25, 'step ' + step); await sleep(100) }
return 'it is over'`,
    )
    await output(page)
      .getByText(/^Running step \d+$/)
      .waitFor()
    await page.reload()
    await output(page)
      .getByText(/^Running/)
      .waitFor()
    await output(page).getByText('"it is over"').waitFor()
    expect(await lines(page)).toContain("return 'it is over'")
    // And it is a job like others.
    await page.getByRole('link', { name: 'Jobs' }).click()
    await page.getByText('run_code').first().waitFor()
  })

  // The engine makes 4 MB of JSON for some seconds on a busy machine.
  it('with a result of 4 MB leaves the page fast', { timeout: 90_000 }, async () => {
    const page = await pages.open()
    await run(
      page,
      "return Array.from({ length: 40_000 }, (_, id) => ({ id, text: 'x'.repeat(60), more: [id] }))",
    )
    await done(page, 60_000)
    await output(page)
      .getByText(/^This is the beginning: 100000 of \d+ characters/)
      .waitFor()
    await output(page).getByRole('button', { name: 'Load all of it' }).click()
    await output(page).getByText('40000 items').waitFor()
    await output(page).getByRole('button', { name: 'Show 100 more of 40000' }).waitFor()
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3_000)
  })
})

describe('completion', () => {
  it('goes from the component to the tool, its arguments and their values', async () => {
    const page = await pages.open()
    await write(page, '')
    await page.keyboard.type('const r = await tools.')
    await expect.poll(() => offered(page).allTextContents()).toContain('weather')
    await page.keyboard.type('wea')
    await expect.poll(() => offered(page).allTextContents()).toEqual(['weather'])
    // A list that has just changed takes no key for a moment.
    await page.waitForTimeout(150)
    await page.keyboard.press('Enter')
    await page.keyboard.type('.fore')
    await page.getByText('The weather of a city').first().waitFor()
    await shoot(page, 'code-completion')
    await page.waitForTimeout(150)
    await page.keyboard.press('Enter')
    await expect.poll(() => offered(page).allTextContents()).toEqual(['city', 'days', 'unit'])
    await page.waitForTimeout(150)
    await page.keyboard.press('Enter')
    await page.keyboard.type('Rome')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type(', un')
    await expect.poll(() => offered(page).allTextContents()).toEqual(['unit'])
    await page.waitForTimeout(150)
    await page.keyboard.press('Enter')
    await expect.poll(() => offered(page).allTextContents()).toContain("'celsius'")
    await page.waitForTimeout(150)
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    await page.keyboard.type('\nr.days[0].')
    await expect.poll(() => offered(page).allTextContents()).toEqual(['rain', 'warm'])
    expect(await violations(page)).toEqual([])
    expect((await lines(page))[0]).toBe(
      "const r = await tools.weather.forecast({ city: 'Rome', unit: 'celsius' })",
    )
  })

  it('of 2,000 tools is there at once', async () => {
    const page = await pages.open('/#/chat')
    const names = Array.from({ length: 2_000 }, (_, at) => `tool_${at}`)
    const inputSchema = { type: 'object', properties: { a: { type: 'string' } } }
    const list = names.map((name) => ({ name, description: `Does ${name}`, inputSchema }))
    const runner = { name: 'run_code', inputSchema: { properties: { trace: {} } } }
    const owner = (name: string) => [name, { name, component: 'big' }]
    const owners = Object.fromEntries([...names, 'run_code'].map(owner)) as object
    await page.route(/\/tools(\?|$)/, (route) =>
      route.fulfill({
        json: route.request().url().includes('format=chat')
          ? { tools: [], owners }
          : { tools: [...list, runner] },
      }),
    )
    await page.getByRole('link', { name: 'Programs' }).click()
    await write(page, 'tools.big')
    await page.evaluate(() => {
      const root = document.querySelector('.editor')?.shadowRoot as ShadowRoot
      let began = 0
      root.addEventListener('keydown', () => (began = performance.now()), { capture: true })
      new MutationObserver(() => {
        if (root.querySelector('.cm-tooltip-autocomplete li') === null || 'took' in globalThis)
          return
        Object.assign(globalThis, { took: performance.now() - began })
      }).observe(root, { subtree: true, childList: true })
    })
    await page.keyboard.press('.')
    const took = () => page.evaluate(() => (globalThis as unknown as { took?: number }).took)
    await expect.poll(took).toBeDefined()
    console.log(`completion of 2,000 tools: ${Math.round((await took()) ?? 0)} ms`)
    // Of these, 50 ms are the pause after a key; the rest is for a busy machine.
    expect(await took()).toBeLessThan(500)
  })
})

it('shows what hostile tools say as text', async () => {
  const page = await pages.open()
  await write(page, '')
  await page.keyboard.type('return await tools.weather.__')
  await expect.poll(() => offered(page).allTextContents()).toEqual(['__proto__'])
  await page.locator('.tool-card').getByText('<img src=x').first().waitFor()
  await page.waitForTimeout(150)
  await page.keyboard.press('Enter')
  await page.waitForTimeout(300)
  await page.keyboard.press('Escape')
  await page
    .getByRole('group', { name: 'Tool at the cursor' })
    .getByText('<img src=x')
    .first()
    .waitFor()
  await page.keyboard.press('Control+Enter')
  await done(page)
  await output(page).getByText('<script>').first().waitFor()
  expect(await page.evaluate(() => document.documentElement.dataset['owned'])).toBeUndefined()
  expect(await page.evaluate(() => Object.keys(Object.prototype))).toEqual([])
})

it('is used with the keyboard alone: Tab leaves the editor', async () => {
  const page = await pages.open()
  await page.getByRole('button', { name: 'Programs' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await lines(page)).toContain(
    // As its description says.
    "return await tools.calculator.calculator({ expression: '2 * (3 + 4) ^ 2' })",
  )
  await page.keyboard.press('Control+Enter')
  await done(page)
  await page.keyboard.press('Tab')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  expect(await focused()).toBe('Value of the result')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Run')
  await page.getByRole('button', { name: 'Terminal' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(/^ftl code run --url http/).waitFor()
  await page.getByText(/^ftl code save my-tool - --url http/).waitFor()
  expect(await violations(page)).toEqual([])
  await shoot(page, 'code-terminal')
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Terminal')
})

it('keeps drafts', async () => {
  const page = await pages.open()
  await write(page, 'return "my draft"')
  await page.getByRole('button', { name: 'Programs' }).click()
  await page.getByLabel('Name of the draft').fill('<b>mine</b>')
  await page.getByRole('button', { name: 'Keep' }).click()
  await shoot(page, 'code-programs')
  await page.reload()
  await write(page, 'return 1')
  await page.getByRole('button', { name: 'Programs' }).click()
  await page.getByRole('button', { name: '<b>mine</b>', exact: true }).click()
  expect(await lines(page)).toEqual(['return "my draft"'])
})

it('is loaded when it is opened, and is less than 150 KB', async () => {
  const page = await pages.open('/#/chat')
  const paths = new Set<string>()
  page.on('request', (sent) => {
    const { pathname } = new URL(sent.url())
    if (pathname.startsWith('/app/')) paths.add(pathname)
  })
  await page.getByLabel('Message').waitFor()
  expect([...paths].join(' ')).not.toMatch(/code-view/)
  paths.clear()
  await page.getByRole('link', { name: 'Programs' }).click()
  await editor(page).waitFor()
  const compressed = await Promise.all(
    [...paths].map(async (path) => {
      const response = await fetch(pages.url + path)
      return brotliCompressSync(await response.text()).length
    }),
  )
  const sum = compressed.reduce((all, size) => all + size, 0)
  console.log(`the view Programs: ${(sum / 1000).toFixed(1)} KB as Brotli in ${paths.size} files`)
  expect(sum).toBeGreaterThan(50_000)
  expect(sum).toBeLessThan(150_000)
})

it('says what to do where the gateway runs no programs', async () => {
  const page = await pages.open('/#/chat')
  await page.route(/\/tools(\?|$)/, (route) => route.fulfill({ json: { tools: [], owners: {} } }))
  await page.getByRole('link', { name: 'Programs' }).click()
  await page.getByText('This gateway does not run programs yet').waitFor()
  await page.getByText('[component.code]').waitFor()
  expect(await violations(page)).toEqual([])
  await shoot(page, 'code-not-there')
})

it.each([
  [390, 'light'],
  [820, 'dark'],
] as const)('fits a screen of %i pixels, %s', async (width, colorScheme) => {
  const page = await pages.open('/#/code', { viewport: { width, height: 844 }, colorScheme })
  await run(
    page,
    `const all = await Promise.all([1, 2].map(() => tools.weather.forecast({ city: 'Rome' })))
console.log('a long line '.repeat(20))
return { all, text: 'y'.repeat(300) }`,
  )
  await done(page)
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { scrollWidth, clientWidth }
  })
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  expect(await violations(page)).toEqual([])
  await shoot(page, `code-${width}`)
  await output(page).scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 700)
  await page.waitForTimeout(200)
  await shoot(page, `code-${width}-output`)
})
