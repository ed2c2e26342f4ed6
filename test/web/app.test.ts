// The picture viewer in a client with MCP Apps: the official host side, in a real browser, on the real gateway.
import { expect, it } from 'vitest'
import type { AppHost } from './app-host-page.ts'
import { pixelsIn, told, useAppHost } from './app-host.ts'
import { shoot } from './browser.ts'

const host = useAppHost()
const { pages } = host

it.each(['legacy', 'auto'] as const)('a picture is seen in the chat (%s)', async (mode) => {
  const { page, view } = await host.show({ arguments: { prompt: 'a lighthouse', seed: 7 }, mode })
  await view.getByText('a lighthouse').waitFor()
  await view.getByText(/^Drawing \(\d+ s\)$/).waitFor()
  if (mode === 'legacy') await shoot(page, 'app-running')
  const { width, height, colours } = await pixelsIn(view)
  expect([width, height]).toEqual([1024, 1024])
  expect(colours).toBeGreaterThan(50)
  await view.getByText('seed 7 · 1024 × 1024').waitFor()
  // As large as it says it is, so that nothing has to be scrolled.
  await expect
    .poll(async () => {
      const { sizes } = await told(page)
      const height = await view.locator('body').evaluate((body) => body.scrollHeight)
      return Math.abs((sizes.at(-1)?.height ?? 0) - height)
    })
    .toBeLessThanOrEqual(1)
  if (mode === 'legacy') await shoot(page, 'app-picture')
  await view.getByRole('button', { name: 'Open' }).click()
  await expect
    .poll(async () => (await told(page)).opened)
    .toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/outputs\/[0-9a-f-]{36}\.png$/)])
})

it('a variation has the same words and another seed, and the model is notified of it', async () => {
  const { page, view } = await host.show({
    arguments: { prompt: 'a windmill', aspect_ratio: '16:9' },
  })
  const first = await pixelsIn(view)
  await view.getByRole('button', { name: 'Vary' }).click()
  await view.locator('.card[data-state="running"]').waitFor()
  const second = await pixelsIn(view, 1)
  expect(second).toMatchObject({ width: 1344, height: 768 })
  expect(second.sum).not.toBe(first.sum)
  const captions = await view.locator('figcaption > span').allTextContents()
  expect(new Set(captions.map((text) => /seed (\d+)/.exec(text)?.[1])).size).toBe(2)
  expect(await view.locator('.prompt').allTextContents()).toEqual(['a windmill', 'a windmill'])
  await expect.poll(async () => (await told(page)).context.length).toBe(1)
  expect(JSON.stringify((await told(page)).context)).toMatch(/variation\. Made .*\/outputs\//)
  await shoot(page, 'app-varied')
})

it('a picture can be saved, shown on the full screen and be the next input', async () => {
  const { page, view } = await host.show({ arguments: { prompt: 'a kite' } })
  await pixelsIn(view)
  await view.getByRole('button', { name: 'Download' }).click()
  const downloads = async () =>
    (await page.evaluate(
      () => (globalThis as unknown as { appHost: AppHost }).appHost.downloads,
    )) as { resource: { uri: string; mimeType: string; blob: string } }[]
  await expect.poll(async () => (await downloads()).length).toBe(1)
  const [{ resource } = { resource: { uri: '', mimeType: '', blob: '' } }] = await downloads()
  expect(resource).toMatchObject({ mimeType: 'image/png' })
  expect(resource.uri).toMatch(/\/[0-9a-f-]{36}\.png$/)
  const served = await fetch(`${pages.world.url}/outputs/${resource.uri.split('/').at(-1)}`)
  expect(Buffer.from(resource.blob, 'base64').equals(Buffer.from(await served.arrayBuffer()))).toBe(
    true,
  )
  await view.getByRole('button', { name: 'Full screen' }).click()
  const back = view.getByRole('button', { name: 'Leave full screen' })
  await back.waitFor()
  await shoot(page, 'app-fullscreen')
  await back.click()
  await view.getByRole('button', { name: 'Full screen', exact: true }).waitFor()
  await view.getByRole('button', { name: 'Use as input' }).click()
  await view.getByRole('button', { name: 'Chosen as input' }).waitFor()
  expect(JSON.stringify((await told(page)).context)).toMatch(/input image.*\/outputs\//)
})

it('a call that failed is made again on request', async () => {
  const result = { content: [{ type: 'text', text: 'No.' }], isError: true }
  const { view } = await host.show({ arguments: { prompt: 'a second try' }, result })
  await view.locator('.card[data-state="failed"]').waitFor()
  await view.getByRole('button', { name: 'Try again' }).click()
  expect(await pixelsIn(view)).toMatchObject({ width: 1024 })
  expect(await view.locator('.prompt').allTextContents()).toEqual(['a second try', 'a second try'])
})

it('pictures of one call stand side by side, each with its seed', async () => {
  const { page, view } = await host.show({ arguments: { prompt: 'two boats', variations: 2 } })
  expect(await pixelsIn(view, 1)).toMatchObject({ width: 1024 })
  expect(await view.getByRole('img', { name: 'two boats' }).count()).toBe(2)
  const captions = await view.locator('figcaption > span').allTextContents()
  expect(new Set(captions.map((text) => /^seed (\d+)/.exec(text)?.[1])).size).toBe(2)
  const [one, other] = await Promise.all(
    [0, 1].map((index) => view.locator('figure').nth(index).boundingBox()),
  )
  expect(one?.y).toBe(other?.y)
  await shoot(page, 'app-gallery')
})

it('a picture is seen while it is drawn, from the bridge, and nothing flashes when it comes', async () => {
  const { page, view } = await host.show({ arguments: { prompt: 'a slow sunrise' } })
  await pixelsIn(view)
  await view.getByRole('button', { name: 'Vary' }).click()
  const card = view.locator('.card').nth(1)
  await card.locator('.frame > .preview').waitFor()
  await card.getByText(/ · \d+ %$/).waitFor()
  await shoot(page, 'app-preview')
  // From the first preview on there is a picture of the same width in each frame of the browser.
  const widths = await card.evaluate(async (element) => {
    const seen: number[] = []
    for (;;) {
      const picture = element.querySelector<HTMLImageElement>('.frame img')
      seen.push(picture?.complete === false ? 0 : (picture?.getBoundingClientRect().width ?? 0))
      if (
        element.dataset.state !== 'running' &&
        element.querySelector('.frame img[alt="a slow sunrise"]')
      )
        return seen
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })
  expect(widths.length).toBeGreaterThan(3)
  expect(new Set(widths).size).toBe(1)
  expect(widths[0]).toBeGreaterThan(100)
})

it('cancelling ends the job where it runs', async () => {
  const { page, view } = await host.show({ arguments: { prompt: 'a long road' } })
  await pixelsIn(view)
  await view.getByRole('button', { name: 'Vary' }).click()
  const asked = page.waitForResponse(
    (response) => response.request().postData()?.includes('cancel_job') === true,
  )
  await view.getByRole('button', { name: 'Cancel' }).click()
  await view.locator('.card[data-state="cancelled"]').getByText('Cancelled.').waitFor()
  const body = (await asked).request().postDataJSON() as {
    params: { arguments: { job_id: string } }
  }
  const { job_id: id } = body.params.arguments
  const job = (await (await fetch(`${pages.world.url}/jobs/${id}`)).json()) as object
  expect(job).toMatchObject({ status: 'cancelled' })
  await shoot(page, 'app-cancelled')
})

it('a handle that a client got because it took too long is followed to the picture', async () => {
  const answer = await fetch(`${pages.world.url}/invoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify({ tool: 'generate_image', params: { prompt: 'a slow boat' } }),
  })
  const id = answer.headers.get('location')?.split('/').at(-1)
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  const result = {
    content: [{ type: 'text', text: `Waiting. This is job ${id}: call get_job` }],
    structuredContent: {
      job_id: id,
      status: 'working',
      poll_interval_ms: 2_000,
      progress: { value: 5, total: 20 },
    },
  }
  const { view } = await host.show({ arguments: { prompt: 'a slow boat' }, result })
  await view.getByText('Waiting · 25 %').waitFor()
  expect(await pixelsIn(view)).toMatchObject({ width: 1024 })
})

it('wears what the host wears', async () => {
  const { page, view } = await host.show({ arguments: { prompt: 'night' } })
  await pixelsIn(view)
  const back = () => view.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
  expect(await back()).toBe('rgb(255, 255, 255)')
  const wear = (variables?: Record<string, string>) =>
    page.evaluate(
      (given) => (globalThis as unknown as { appHost: AppHost }).appHost.setTheme('dark', given),
      variables,
    )
  await wear()
  await expect.poll(back).toBe('rgb(23, 25, 30)')
  await shoot(page, 'app-dark')
  await wear({ '--color-background-primary': '#102030' })
  await expect.poll(back).toBe('rgb(16, 32, 48)')
})

it('what a tool answers is text, whatever it looks like', async () => {
  const markup = '<img src=x onerror="document.title=1"><b>bold</b>'
  const result = { content: [{ type: 'text', text: markup }], isError: true }
  const { page, view } = await host.show({ arguments: { prompt: markup }, result })
  await view.locator('.card[data-state="failed"]').waitFor()
  expect(await view.getByRole('status').textContent()).toBe(markup)
  expect(await view.locator('.prompt').textContent()).toBe(markup)
  expect(await view.locator('b, .card img').count()).toBe(0)
  await shoot(page, 'app-failed')
})

it('a host that can do little is shown what it can', async () => {
  const { view } = await host.show({ arguments: { prompt: 'a pear', seed: 3 }, capabilities: {} })
  await view.getByText('This client shows no pictures here.').waitFor()
  await view.getByText('seed 3 · 1024 × 1024').waitFor()
  expect(await view.getByRole('button').filter({ visible: true }).count()).toBe(0)
})

it('a larger picture is shown too, and on a phone', async () => {
  const small = 'data:image/png;base64,' + PNG
  const { page, view } = await host.show(
    { tool: 'upscale_image', arguments: { image: small } },
    { width: 320, height: 700 },
  )
  const { width, height } = await pixelsIn(view)
  expect([width, height]).toEqual([16, 16])
  expect(await view.getByRole('button', { name: 'Vary' }).count()).toBe(0)
  const wide = await view.locator('body').evaluate((body) => body.scrollWidth)
  expect(wide).toBeLessThanOrEqual(320)
  await shoot(page, 'app-phone')
})

it('a call the host ended says so; a page that is taken away answers', async () => {
  const result = {
    content: [],
    structuredContent: { job_id: '00000000-0000-4000-8000-000000000000', poll_interval_ms: 9000 },
  }
  const { page, view } = await host.show({ arguments: { prompt: 'dusk' }, result })
  await view.getByText('dusk').waitFor()
  await page.evaluate(() =>
    (globalThis as unknown as { appHost: AppHost }).appHost.cancelled('user action'),
  )
  await view.getByText('Cancelled: user action').waitFor()
  const gone = page.evaluate(() =>
    (globalThis as unknown as { appHost: AppHost }).appHost.teardown(),
  )
  expect(await gone).toEqual({})
})

/** 8 x 8 pixels, all red. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC'
