/** Apps of the fixture in the page, for tests. */
import type { FrameLocator, Locator, Page } from 'playwright-core'
import type { Pages } from './use-page.ts'

export interface Hosted {
  page: Page
  /** The app with its bar, in the page. */
  app: Locator
  /** What the app has drawn. */
  view: FrameLocator
}

/** Runs a tool of the fixture `apps` in the workbench, whose app does what `code` says. */
export async function openHosted(
  pages: Pages,
  code = '',
  { tool = 'puppet', viewport = { width: 1440, height: 900 }, before = async (_: Page) => {} } = {},
): Promise<Hosted> {
  const page = await pages.open('/', { viewport })
  await before(page)
  const args = encodeURIComponent(JSON.stringify(code === '' ? {} : { code }))
  await page.evaluate((hash) => (location.hash = hash), `#/tools/${tool}?args=${args}`)
  const pane = page.getByRole('article', { name: `App ${tool}` })
  await pane.getByRole('button', { name: 'Run', exact: true }).click()
  return hostedIn(page, `App ${tool}`)
}

export function hostedIn(page: Page, title: string): Hosted {
  const app = page.getByRole('region', { name: `App of ${title}` })
  return { page, app, view: app.locator('iframe').contentFrame().locator('iframe').contentFrame() }
}

/** What the app has printed, when its code has ended. */
export async function printed({ view }: Hosted): Promise<string> {
  await view.locator('#state', { hasText: 'done' }).waitFor()
  return (await view.locator('#printed').textContent()) ?? ''
}
