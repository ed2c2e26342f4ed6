// MCP Apps in the workbench: what an app gets from the page, and what it may ask of it.
import { expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { hostedIn, openHosted, printed } from './hosted-apps.ts'
import { usePage } from './use-page.ts'

const pages = usePage({ renderSeconds: 3 })

it('an app gets its call, the result and the look of the page, also when it changes', async () => {
  const hosted = await openHosted(pages, 'print(hello.hostContext.toolInfo.tool.name)')
  const { page, app, view } = hosted
  await view.getByText('result answer of puppet').waitFor()
  expect(await printed(hosted)).toContain('puppet')
  await expect
    .poll(() => app.locator('.app-frame').evaluate((frame) => frame.clientHeight))
    .toBe(180)
  const back = () => view.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
  expect(await back()).toBe('rgb(255, 255, 255)')
  expect(await violations(page)).toEqual([])
  await shoot(page, 'hosted-app')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(back).toBe('rgb(33, 31, 28)')
  await shoot(page, 'hosted-app-dark')
  // Another tab of the result and back: the app is still the same.
  const print = () => view.locator('#printed').textContent()
  const before = await print()
  await page.getByRole('tab', { name: 'Raw' }).click()
  await page.getByRole('tab', { name: 'Result' }).click()
  expect(await print()).toBe(before)
})

it('a link, a message and a note happen only after a click of the person', async () => {
  const { page, app, view } = await openHosted(
    pages,
    "request('ui/open-link', { url: 'https://elsewhere.example/a' }).then((answer) => print('link ' + JSON.stringify(answer)));" +
      "request('ui/message', { role: 'user', content: [{ type: 'text', text: 'Draw it again' }] }).then((answer) => print('said ' + JSON.stringify(answer)));" +
      "await request('ui/update-model-context', { content: [{ type: 'text', text: 'The third was chosen' }] })",
  )
  const asks = app.getByRole('group', { name: 'The app asks' })
  await expect.poll(() => asks.count()).toBe(3)
  await shoot(page, 'hosted-asks')
  expect(await violations(page)).toEqual([])
  await asks
    .filter({ hasText: 'elsewhere.example' })
    .getByRole('button', { name: 'Decline' })
    .click()
  await view.getByText('link {"isError":true}').waitFor()
  await asks.getByRole('button', { name: 'Put into the message' }).click()
  await view.getByText('said {}').waitFor()
  await asks.getByRole('button', { name: 'Add to the message' }).click()
  expect(page.context().pages()).toHaveLength(1)
  await page.evaluate(() => (location.hash = '#/chat'))
  await expect
    .poll(() => page.getByLabel('Message').inputValue())
    .toBe('Draw it again\n\nThe third was chosen')
})

it('an app fills the window, keeps the focus there, and comes back', async () => {
  const { page, app, view } = await openHosted(
    pages,
    "print((await request('ui/request-display-mode', { mode: 'pip' })).mode); print((await request('ui/request-display-mode', { mode: 'fullscreen' })).mode)",
  )
  await view.getByText('fullscreen').waitFor()
  expect(await view.locator('#printed').textContent()).toContain('inline')
  const leave = app.getByRole('button', { name: 'Leave full screen' })
  await expect.poll(() => leave.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await app.boundingBox()).toEqual({ x: 0, y: 0, width: 1440, height: 900 })
  await shoot(page, 'hosted-fullscreen')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await app.getByRole('button', { name: 'Full screen', exact: true }).waitFor()
  // It was not loaded again.
  expect(await view.locator('#printed').textContent()).toContain('inline')
})

it('an app says goodbye, and the result is there as text', async () => {
  const { page, app } = await openHosted(
    pages,
    "listeners.teardown = () => notify('notifications/message', { level: 'info', data: 'goodbye' }); notify('notifications/message', { level: 'info', data: 'hello there' })",
  )
  await app.getByText('Messages of the app').click()
  await app.getByText('info: hello there').waitFor()
  await app.getByRole('button', { name: 'Show as text' }).click()
  await page.getByText('answer of puppet').waitFor()
  await page.getByRole('button', { name: 'Show as app' }).click()
  await hostedIn(page, 'App puppet').view.getByText('result answer of puppet').waitFor()
})

it('the picture viewer shows previews in the page, and the picture', async () => {
  const args = encodeURIComponent(JSON.stringify({ prompt: 'a harbour' }))
  const page = await pages.open(`/#/tools/generate_image?args=${args}`)
  const tool = page.getByRole('article', { name: 'Generate image' })
  await tool.getByRole('button', { name: 'Run', exact: true }).click()
  const { app, view } = hostedIn(page, 'Generate image')
  await view.locator('.preview').waitFor()
  await view.getByText(/ · \d+ %$/).waitFor()
  await shoot(page, 'hosted-preview')
  await view.getByRole('img', { name: 'a harbour' }).waitFor()
  expect(await view.locator('.card').count()).toBe(1)
  await shoot(page, 'hosted-picture')
  const download = page.waitForEvent('download')
  await view.getByRole('button', { name: 'Download' }).click()
  await app.getByRole('button', { name: 'Save', exact: true }).click()
  expect((await download).suggestedFilename()).toMatch(/^[0-9a-f-]{36}\.png$/)
  await view.getByRole('button', { name: 'Use as input' }).click()
  await app.getByRole('button', { name: 'Add to the message' }).click()
  await view.getByRole('button', { name: 'Vary' }).click()
  // The tool does not say that it only reads.
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await view.locator('.card').nth(1).getByRole('img', { name: 'a harbour' }).waitFor()
})

it('on a phone the app has the width of the page', async () => {
  const viewport = { width: 320, height: 700 }
  const { page, app, view } = await openHosted(pages, '', { viewport })
  await view.getByText('result answer of puppet').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  expect((await app.boundingBox())?.width).toBeGreaterThan(250)
  await app.scrollIntoViewIfNeeded()
  await shoot(page, 'hosted-phone')
})

it('an app below a form comes into view, although it has its size only after the answer', async () => {
  const { page, app, view } = await openHosted(pages, '', {
    viewport: { width: 700, height: 560 },
  })
  await view.getByText('result answer of puppet').waitFor()
  const shown = () => app.evaluate((one) => innerHeight - one.getBoundingClientRect().top)
  await expect.poll(shown).toBeGreaterThan(200)
  // The button that was pressed stays in view, too.
  const top = await page
    .getByRole('button', { name: 'Run', exact: true })
    .evaluate((one) => one.getBoundingClientRect().top)
  expect(top).toBeGreaterThanOrEqual(0)
})
