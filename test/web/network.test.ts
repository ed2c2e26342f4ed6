// Networks as they are: gone, slow, and shared with another tab.
import { expect, it } from 'vitest'
import { shoot } from './browser.ts'
import { pixels, say, usePage } from './use-page.ts'

const pages = usePage({ renderSeconds: 4 })

it('a network that goes is said, and what ran meanwhile is taken up', async () => {
  const page = await pages.open()
  await page.getByText('Generate image').waitFor()
  await say(page, '/generate_image an island')
  await page.locator('.card.running').waitFor()
  await page.context().setOffline(true)
  await page.getByText('There is no network').waitFor()
  await page.getByText('Connection lost; trying again').waitFor()
  await shoot(page, 'chat-offline')
  // Longer than the rendering takes.
  await page.waitForTimeout(5_000)
  expect(await page.locator('.card[data-state="completed"]').count()).toBe(0)
  await page.context().setOffline(false)
  await expect.poll(() => page.getByText('There is no network').count()).toBe(0)
  expect(await pixels(page)).toMatchObject({ width: 1024, height: 1024 })
})

it('a call that never left is made again with the same key, once', async () => {
  const page = await pages.open()
  await page.getByText('Generate image').waitFor()
  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/invoke')) keys.push(request.headers()['idempotency-key'])
  })
  await page.route('**/invoke', async (route) => {
    // It arrives, and its answer is lost on the way.
    await route.fetch()
    await route.abort('connectionreset')
    await page.unroute('**/invoke')
  })
  await say(page, '/generate_image a tower')
  // The banner about the gateway has such a button, too.
  await page.getByRole('article').getByRole('button', { name: 'Try again' }).click()
  await pixels(page)
  expect(keys).toHaveLength(2)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[1]).toBe(keys[0])
})

it('a slow network shows the page, and every step, late', async () => {
  const page = await pages.open('/#/jobs')
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 20_000,
  })
  const started = performance.now()
  await page.goto(`${pages.world.url}/`)
  await page.reload()
  await page.getByText('What shall we make?').waitFor()
  expect(performance.now() - started).toBeLessThan(10_000)
  await page.getByText('Generate image').waitFor()
  await say(page, '/generate_image a snail')
  await page.locator('.card.running').waitFor()
  await shoot(page, 'chat-slow')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  expect(await pixels(page)).toMatchObject({ width: 1024 })
})

it('two tabs have conversations of their own and the same jobs, followed by one of them', async () => {
  const first = await pages.open()
  await first.getByText('Generate image').waitFor()
  await say(first, '/generate_image a shared garden')
  await first.locator('.card.running').waitFor()
  await first.context().addInitScript(newsIsLate)
  const second = await pages.tab(first, '/')
  await second.getByText('What shall we make?').waitFor()
  let streams = 0
  second.on('request', (request) => {
    if (request.url().endsWith('/events')) streams++
  })
  await second.getByRole('link', { name: 'Jobs' }).click()
  await second.getByRole('article', { name: 'generate_image, done' }).waitFor()
  expect(streams).toBe(0)
  await say(await back(second), '/calculator 6*7')
  await second.getByText('42', { exact: true }).waitFor()
  // Its title is in the list of conversations, which all tabs have.
  expect(await first.locator('.message').getByText('/calculator').count()).toBe(0)
  expect(await second.locator('.message').getByText('/calculator').count()).toBe(1)
  expect(await pixels(first)).toMatchObject({ width: 1024 })
})

it('the tab that is left takes over when the other one is closed', async () => {
  const first = await pages.open()
  await first.getByText('Generate image').waitFor()
  await say(first, '/generate_image an inheritance')
  await first.locator('.card.running').waitFor()
  const second = await pages.tab(first, '/#/jobs')
  await second.getByRole('article', { name: 'generate_image, working' }).waitFor()
  await first.close()
  await second.getByRole('article', { name: 'generate_image, done' }).waitFor()
})

/** On a busy machine, a tab learns later than this what another one has saved. */
function newsIsLate(): void {
  const delayed = new WeakSet<Event>()
  addEventListener('storage', (event) => {
    if (delayed.has(event)) return
    event.stopImmediatePropagation()
    const { key, newValue, oldValue, storageArea } = event
    const later = new StorageEvent('storage', { key, newValue, oldValue, storageArea })
    delayed.add(later)
    setTimeout(() => dispatchEvent(later), 1_000)
  })
}

async function back<T extends Awaited<ReturnType<typeof pages.open>>>(page: T): Promise<T> {
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  return page
}
