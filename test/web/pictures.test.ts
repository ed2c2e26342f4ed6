// A picture from its first word to its last pixel, in a real browser.
import { expect, it } from 'vitest'
import { shoot } from './browser.ts'
import { openTool, note, noted, pixels, say, usePage } from './use-page.ts'

const pages = usePage({ renderSeconds: 3 })

it('a slash command draws: news, a preview, progress, then the picture itself', async () => {
  const page = await pages.open()
  await page.getByText('Generate image').waitFor()
  await note(page, '[data-part="state"]')
  await say(page, '/generate_image a lighthouse at night')
  await page.locator('img.preview').waitFor()
  const shown = await page.locator('img.preview').getAttribute('src')
  expect(shown).toMatch(/^data:image\/(jpeg|png);base64,/)
  // A preview may come before the first step is reported.
  await page.locator('progress[value]').waitFor()
  await shoot(page, 'chat-running')
  const { width, height, colours } = await pixels(page)
  expect([width, height]).toEqual([1024, 1024])
  expect(colours).toBeGreaterThan(50)
  // More than one, each another than the one before.
  expect(new Set(await noted(page)).size).toBeGreaterThan(2)
  await shoot(page, 'chat-picture')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^[0-9a-f-]{36}\.png$/)
})

it('the form draws as well, with what was chosen in it', async () => {
  const page = await pages.open('/#/tools')
  const tool = await openTool(page, 'Generate image')
  await tool.getByLabel('prompt', { exact: false }).first().fill('a harbour')
  await tool.getByLabel('aspect ratio').selectOption('16:9')
  await tool.locator('summary', { hasText: 'more setting' }).click()
  await tool.getByLabel('seed', { exact: true }).fill('42')
  await shoot(page, 'tools-form')
  await tool.getByRole('button', { name: 'Run', exact: true }).click()
  // The tool has an app for its results.
  await tool.getByRole('button', { name: 'Show as text' }).click()
  expect(await pixels(page)).toMatchObject({ width: 1344, height: 768 })
  await tool.getByText('with seed 42').waitFor()
  await page.goto(`${pages.world.url}/#/gallery`)
  await page.getByRole('article', { name: 'a harbour' }).getByText('seed 42').waitFor()
  await shoot(page, 'gallery')
  await page.goto(`${pages.world.url}/#/jobs`)
  const job = page.getByRole('article', { name: 'generate_image, done' }).first()
  const wide = () =>
    job.locator('.job-about img').evaluate((one: HTMLImageElement) => one.naturalWidth)
  await expect.poll(wide).toBe(1344)
  await shoot(page, 'jobs-thumbnail')
})

it('a variation has the same words and another seed', async () => {
  const page = await pages.open()
  await page.getByText('Generate image').waitFor()
  await say(page, '/generate_image a windmill')
  await pixels(page)
  await page.getByRole('button', { name: 'Vary' }).click()
  await page.locator('.card.running').waitFor()
  await page.locator('.card[data-state="completed"]').nth(1).waitFor()
  const texts = await page.locator('.card[data-state="completed"] .said').allTextContents()
  const seeds = texts.map((text) => /seed (\d+)/.exec(text)?.[1])
  expect(new Set(seeds).size).toBe(2)
  await page.goto(`${pages.world.url}/#/gallery`)
  await expect.poll(() => page.getByRole('article', { name: 'a windmill' }).count()).toBe(2)
  await page.getByRole('button', { name: 'Remove' }).first().click()
  await expect.poll(() => page.getByRole('article', { name: 'a windmill' }).count()).toBe(1)
})

it('cancelling ends the job where it runs, and says so', async () => {
  const page = await pages.open()
  await page.getByText('Generate image').waitFor()
  await say(page, '/generate_image a long road')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.locator('.card[data-state="cancelled"]').waitFor()
  await page.getByText('Cancelled.').waitFor()
  await shoot(page, 'chat-cancelled')
  await page.goto(`${pages.world.url}/#/jobs`)
  await page.getByRole('article', { name: 'generate_image, cancelled' }).waitFor()
  const id = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith('ftl.job.'))
    return key?.slice('ftl.job.'.length)
  })
  const record = (await (await fetch(`${pages.world.url}/jobs/${id}`)).json()) as object
  expect(record).toMatchObject({ status: 'cancelled' })
})

it('a reload in the middle loses nothing', async () => {
  const page = await pages.open()
  await page.getByText('Generate image').waitFor()
  await say(page, '/generate_image a bridge in fog')
  await page.locator('.card.running').waitFor()
  await page.reload()
  await page.locator('.card.running').waitFor()
  await page.locator('.from-user').getByText('/generate_image a bridge in fog').waitFor()
  await shoot(page, 'chat-reloaded')
  expect(await pixels(page)).toMatchObject({ width: 1024 })
})

it('a job the gateway has forgotten says so, and can be taken from the list', async () => {
  const page = await pages.open()
  await page.evaluate(() => {
    const id = '00000000-0000-4000-8000-000000000000'
    const job = {
      id,
      tool: 'generate_image',
      arguments: { prompt: 'long ago' },
      startedAt: 1,
      state: 'working',
    }
    localStorage.setItem(`ftl.job.${id}`, JSON.stringify(job))
  })
  await page.goto(`${pages.world.url}/#/gallery`)
  await page.reload()
  await page.getByRole('article', { name: 'long ago' }).getByText('Expired').waitFor()
  await shoot(page, 'gallery-expired')
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Nothing here yet').waitFor()
})
