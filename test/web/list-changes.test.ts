// The list of tools changes while a form is filled and its tool runs.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { CANNOT_RUN, startWorkflows, type WorkflowApplication } from '../workflows/application.ts'
import { findChromium, launch } from './browser.ts'

const found = findChromium()
const skip = it.skipIf(CANNOT_RUN || !('path' in found))

let app: WorkflowApplication
let browser: Browser
let page: Page

beforeAll(async () => {
  if (CANNOT_RUN || !('path' in found)) return
  app = await startWorkflows()
  await add('first')
  browser = await launch(found.path)
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
})
beforeEach(async (test) => {
  if (CANNOT_RUN || !('path' in found)) return
  page = await browser.newPage()
  page.setDefaultTimeout(6000)
  await page.goto(`${app.url}/#/tools/first`)
  test.onTestFinished(() => page.close())
})

async function add(name: string): Promise<void> {
  await app.put(`workflows/${name}.json`, {
    '1': { class_type: 'LoadImage', inputs: { image: 'none.png' } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
  })
  const mapping = { node: '2', attribute: 'filename_prefix' }
  const field = { name: 'prefix', type: 'string', required: true, mapping }
  await app.put(`config/${name}.json`, [{ name, fields: [field] }])
}
const pane = () => page.getByRole('article', { name: 'first' })

const prefix = () => pane().getByRole('textbox', { name: 'prefix' })
const run = () => pane().getByRole('button', { name: 'Run', exact: true }).click()
const reload = () => page.evaluate(() => dispatchEvent(new Event('online')))

/** Holds the answers of calls back. @returns what lets them go. */
async function hold(): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/mcp', async (route) => {
    if (route.request().postData()?.includes('"tools/call"') === true) await held
    await route.continue()
  })
  return release
}

skip('a tool that is added leaves a filled form and its call as they are', async () => {
  const release = await hold()
  await prefix().fill('mine')
  await pane().getByRole('button', { name: 'Run', exact: true }).hover()
  await page.mouse.down()
  await add('second')
  await reload()
  await page.getByRole('link', { name: /second/ }).waitFor()
  await page.mouse.up()
  await add('third')
  await reload()
  await page.getByRole('link', { name: /third/ }).waitFor()
  await pane().getByRole('button', { name: 'Stop' }).waitFor()
  release()
  await pane().getByText('done', { exact: true }).waitFor()
  expect(await prefix().inputValue()).toBe('mine')
})

skip('a tool that is not in the list for a moment keeps its form and its call', async () => {
  const release = await hold()
  await prefix().fill('mine')
  await run()
  await pane().getByRole('button', { name: 'Stop' }).waitFor()
  await page.route('**/tools', (route) => route.fulfill({ json: { tools: [] } }))
  await reload()
  await page.getByText('The gateway does not offer this tool now').waitFor()
  expect(await prefix().inputValue()).toBe('mine')
  await page.unroute('**/tools')
  await reload()
  await expect.poll(() => page.getByText('does not offer this tool now').count()).toBe(0)
  await pane().getByRole('button', { name: 'Stop' }).waitFor()
  release()
  await pane().getByText('done', { exact: true }).waitFor()
})

skip('the result of a call appears also after the user has left its tool and come back', async () => {
  const release = await hold()
  await prefix().fill('mine')
  await run()
  await pane().getByText('running', { exact: true }).waitFor()
  await page.evaluate(() => (location.hash = '#/activity'))
  await expect.poll(() => pane().count()).toBe(0)
  await page.evaluate(() => (location.hash = '#/tools/first'))
  await pane().getByText('running', { exact: true }).waitFor()
  release()
  await pane().getByText('done', { exact: true }).waitFor()
})
