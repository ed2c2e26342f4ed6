// The frame: views are scripts of their own, loaded when they are opened, and every address of old still works.
import { expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { usePage } from './use-page.ts'

const pages = usePage()

it('a view is loaded when it is opened, once, with its styles', async () => {
  const page = await pages.open()
  const scripts: string[] = []
  page.on('request', (sent) => scripts.push(new URL(sent.url()).pathname))
  await page.getByText('Generate image').waitFor()
  const loaded = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .join(' '),
    )
  expect(await loaded()).not.toMatch(/\/app\/(gallery|workbench-view|jobs|settings)-/)
  await page.getByRole('link', { name: 'Tools', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor()
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await page.getByRole('link', { name: 'Tools', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor()
  expect(scripts.filter((path) => path.startsWith('/app/workbench-view-'))).toHaveLength(1)
  expect(
    await page.getByRole('link', { name: 'Tools', exact: true }).getAttribute('aria-current'),
  ).toBe('page')
  await page.getByRole('button', { name: 'Settings' }).click()
  const drawer = page.getByRole('dialog', { name: 'Settings' })
  await drawer.waitFor()
  const style = () => drawer.evaluate((element) => getComputedStyle(element).borderLeftWidth)
  expect(await style()).toBe('1px')
})

it('a view that cannot be loaded says so, and is loaded again on request', async () => {
  const page = await pages.open()
  await page.getByText('Generate image').waitFor()
  let isBroken = true
  await page.route('**/app/gallery-*.js', (request) =>
    isBroken ? request.abort() : request.continue(),
  )
  await page.getByRole('link', { name: 'Gallery' }).click()
  await page.getByRole('alert').getByText('could not be loaded').waitFor()
  expect(await violations(page)).toEqual([])
  await shoot(page, 'frame-not-loaded')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Reload the page' }).waitFor()
  // Another view still opens.
  await page.getByRole('link', { name: 'Jobs' }).click()
  await page.getByText('No jobs yet').waitFor()
  isBroken = false
  await page.getByRole('link', { name: 'Gallery' }).click()
  // A browser may keep the failure until the page is loaded again.
  const heading = page.getByRole('heading', { level: 1, name: 'Gallery' })
  await heading.waitFor()
  if (await page.getByRole('alert').isVisible()) {
    await page.getByRole('button', { name: 'Try again' }).click()
    const reload = page.getByRole('button', { name: 'Reload the page' })
    if (await reload.isVisible()) await reload.click()
  }
  await page.getByText('Nothing here yet').waitFor()
})

it('a slow view says that it is being loaded', async () => {
  const page = await pages.open()
  await page.getByText('Generate image').waitFor()
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/app/jobs-*.js', async (request) => {
    await released
    await request.continue()
  })
  await page.getByRole('link', { name: 'Jobs' }).click()
  await page.getByRole('status').getByText('Loading Jobs').waitFor({ state: 'attached' })
  expect(await violations(page)).toEqual([])
  release()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Jobs')
})

it.each([
  ['/', 'chat'],
  ['/#/chat', 'chat'],
  ['/#/create', 'chat'],
  ['/#/gallery', 'gallery'],
  ['/#/tools', 'tools'],
  ['/#/tools/calculator?args=%7B%22expression%22%3A%221%2B1%22%7D', 'tools'],
  ['/#/jobs', 'jobs'],
  ['/#/nothing-like-this', 'chat'],
  ['/#/__proto__', 'chat'],
  ['/#/%E0%A4%A/%', 'chat'],
])('%s opens %s', async (address, view) => {
  const page = await pages.open(address)
  await page.locator(`main[data-view="${view}"] h1`).waitFor()
})
