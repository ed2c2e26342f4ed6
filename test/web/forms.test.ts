// Forms made from schemas, and results that try to be more than words.
import { expect, it } from 'vitest'
import { shoot } from './browser.ts'
import { say, usePage } from './use-page.ts'

const pages = usePage()

async function openForm() {
  const page = await pages.open('/#/tools')
  const tool = page.getByRole('article', { name: 'Every kind of argument' })
  await tool.getByRole('button', { name: 'Try it' }).click()
  return { page, tool, call: () => tool.getByRole('button', { name: 'Call' }).click() }
}

it('every kind of argument arrives as what it is', async () => {
  const { tool, call } = await openForm()
  await tool.getByLabel('prompt').fill('two\nlines')
  await tool.getByLabel('count').fill('3')
  await tool.getByLabel('shade').selectOption('dark')
  await tool.getByLabel('loud').check()
  await tool.getByText('more setting').click()
  await tool.getByLabel('tags').fill('one')
  await tool.getByLabel('tags').press('Enter')
  await tool.getByLabel('tags').pressSequentially('two,')
  await tool.getByLabel('size').fill('{"width": 12}')
  await call()
  const said = await tool.locator('.said').textContent()
  expect(JSON.parse(said ?? '')).toEqual({
    prompt: 'two\nlines',
    count: 3,
    shade: 'dark',
    loud: true,
    tags: ['one', 'two'],
    size: { width: 12 },
  })
})

it('what was left empty is left out, and defaults are there', async () => {
  const { tool, call } = await openForm()
  await tool.getByLabel('prompt').fill('p')
  await tool.getByLabel('count').fill('1')
  await call()
  const said = await tool.locator('.said').textContent()
  expect(JSON.parse(said ?? '')).toEqual({ prompt: 'p', count: 1, shade: 'light' })
})

it('what is missing or wrong is said at its field, which has the focus', async () => {
  const { page, tool, call } = await openForm()
  await call()
  await tool.getByText('is needed').first().waitFor()
  expect(await tool.getByLabel('prompt').getAttribute('aria-invalid')).toBe('true')
  expect(
    await tool.getByLabel('prompt').evaluate((field) => field === document.activeElement),
  ).toBe(true)
  await tool.getByLabel('prompt').fill('p')
  await tool.getByLabel('count').fill('9')
  await tool.getByText('more setting').click()
  await tool.getByLabel('size').fill('{width')
  await call()
  await tool.getByText('must be 5 or less').waitFor()
  await tool.getByText('is not JSON').waitFor()
  await shoot(page, 'form-problems')
})

it("the gateway's own refusals come to the field they are about", async () => {
  const { tool, call } = await openForm()
  await tool.getByLabel('prompt').fill('p')
  await tool.getByLabel('count').fill('2')
  await tool.getByText('more setting').click()
  await tool.getByLabel('size').fill('{"width": 3}')
  await tool.getByLabel('tags').fill('NO')
  await tool.getByLabel('tags').press('Enter')
  await call()
  const size = tool.getByLabel('size')
  await expect.poll(() => size.getAttribute('aria-invalid')).toBe('true')
  const described = await size.getAttribute('aria-describedby')
  const words = await tool.locator(`[id="${described?.split(' ')[0]}"]`).textContent()
  expect(words).toContain('width')
  expect(words).toContain('10')
  expect(await tool.getByLabel('tags').getAttribute('aria-invalid')).toBe('true')
})

it('a call that is refused for another reason than its arguments can be repeated as it is', async () => {
  const page = await pages.open()
  await page.getByText('Generate image').waitFor()
  await page.route('**/invoke', (route) =>
    route.fulfill({
      status: 429,
      json: { error: { code: 'queue_full', message: 'The queue is full.' } },
    }),
  )
  await say(page, '/generate_image a mill')
  await page.getByText('The queue is full.').waitFor()
  expect(await page.getByLabel('Arguments of generate_image').count()).toBe(0)
  await page.unroute('**/invoke')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.card').waitFor()
})

it('markup in a name, a result or an address is words and nothing more', async () => {
  const page = await pages.open()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.getByText('Generate image').waitFor()
  await say(page, '/markup')
  await page.getByText('Not a title').waitFor()
  const said = await page.locator('.result .said').first().textContent()
  expect(said).toContain('<script>')
  expect(said).toContain('<img src=x onerror=')
  expect(await page.locator('main script, main img, main h1:not([tabindex])').count()).toBe(0)
  const links = await page
    .locator('.result a')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))
  expect(links).toEqual(['https://elsewhere.example/picture.png'])
  await page.locator('.result summary').last().click()
  await shoot(page, 'markup-as-text')
  await say(page, '<img src=x onerror="document.documentElement.dataset.owned=1">')
  await page.getByRole('link', { name: 'Tools' }).click()
  await page.getByRole('article', { name: 'markup' }).getByText('<b>Answers</b>').waitFor()
  expect(await page.evaluate(() => document.documentElement.dataset['owned'])).toBeUndefined()
  const { host } = new URL(pages.world.url)
  expect(asked.filter((url) => new URL(url).host !== host)).toEqual([])
})
