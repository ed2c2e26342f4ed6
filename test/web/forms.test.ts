// Forms made from schemas, and results that try to be more than words.
import { expect, it } from 'vitest'
import { shoot } from './browser.ts'
import { violations } from './axe.ts'
import { answerText, openTool, say, usePage } from './use-page.ts'

const pages = usePage()

async function openForm(title = 'Every kind of argument') {
  const page = await pages.open('/#/tools')
  const tool = await openTool(page, title)
  const run = () => tool.getByRole('button', { name: 'Run', exact: true }).click()
  const answer = async () => JSON.parse(await answerText(tool)) as unknown
  return { page, tool, run, answer }
}

it('every kind of argument arrives as what it is', async () => {
  const { tool, run, answer } = await openForm()
  await tool.getByLabel('prompt').fill('two\nlines')
  await tool.getByLabel('count').fill('3')
  await tool.getByLabel('shade').selectOption('dark')
  await tool.getByLabel('loud').check()
  await tool.getByLabel('tags').fill('one')
  await tool.getByLabel('tags').press('Enter')
  await tool.getByLabel('tags').pressSequentially('two,')
  await tool.getByRole('button', { name: 'Add size' }).click()
  await tool.getByLabel('width').fill('12')
  await run()
  expect(await answer()).toEqual({
    prompt: 'two\nlines',
    count: 3,
    shade: 'dark',
    loud: true,
    tags: ['one', 'two'],
    size: { width: 12 },
  })
})

it('what was left empty is left out, and defaults are there', async () => {
  const { tool, run, answer } = await openForm()
  await tool.getByLabel('prompt').fill('p')
  await tool.getByLabel('count').fill('1')
  await run()
  expect(await answer()).toEqual({ prompt: 'p', count: 1, shade: 'light' })
})

it('all problems are shown at once, the first has the focus, and each goes when it is mended', async () => {
  const { page, tool, run, answer } = await openForm()
  await tool.getByLabel('count').fill('9')
  await tool.getByRole('button', { name: 'Add size' }).click()
  await run()
  const problems = tool.getByRole('alert', { name: 'What is wrong' })
  await problems.getByText('3 arguments are wrong').waitFor()
  expect(await tool.getByLabel('prompt').getAttribute('aria-invalid')).toBe('true')
  expect(
    await tool.getByLabel('prompt').evaluate((field) => field === document.activeElement),
  ).toBe(true)
  await problems.getByText('must be at most 5').waitFor()
  await problems.getByRole('button', { name: 'size.width' }).click()
  expect(await tool.getByLabel('width').evaluate((field) => field === document.activeElement)).toBe(
    true,
  )
  expect(await violations(page)).toEqual([])
  await shoot(page, 'form-problems')
  await tool.getByLabel('width').fill('20')
  await tool.getByLabel('count').fill('5')
  await problems.getByText('One argument is wrong').waitFor()
  expect(await tool.getByLabel('count').getAttribute('aria-invalid')).toBe('false')
  await tool.getByLabel('prompt').fill('p')
  await expect.poll(() => problems.count()).toBe(0)
  await tool.getByLabel('prompt').press('Control+Enter')
  expect(await answer()).toEqual({ prompt: 'p', count: 5, shade: 'light', size: { width: 20 } })
})

it("the gateway's own refusals come to the field they are about", async () => {
  const { page, tool, run } = await openForm()
  await tool.getByLabel('prompt').fill('p')
  await tool.getByLabel('count').fill('2')
  await tool.getByRole('button', { name: 'HTTP' }).click()
  await page.route('**/invoke', (route) =>
    route.fulfill({
      status: 422,
      json: {
        error: {
          code: 'invalid_arguments',
          message: 'The arguments are not valid.',
          errors: [{ path: 'count', message: 'is taken' }],
        },
      },
    }),
  )
  await run()
  const count = tool.getByLabel('count')
  await expect.poll(() => count.getAttribute('aria-invalid')).toBe('true')
  expect(await tool.locator(`[id="${await count.getAttribute('id')}-problem"]`).textContent()).toBe(
    'is taken',
  )
  await count.fill('3')
  await expect.poll(() => count.getAttribute('aria-invalid')).toBe('false')
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
  await page.getByRole('link', { name: 'Tools', exact: true }).click()
  const pane = await openTool(page, 'markup')
  await pane.getByText('<b>Answers</b>').waitFor()
  expect(await page.evaluate(() => document.documentElement.dataset['owned'])).toBeUndefined()
  const { host } = new URL(pages.world.url)
  expect(asked.filter((url) => new URL(url).host !== host)).toEqual([])
})
