/** The longest trace and the longest log that a request can have. */
import type { Page } from 'playwright-core'
import { type Fluency, whileScrolling } from './frames.ts'

/** The host keeps no more spans of a request. */
export const SPANS = 500
const LINES = 500

/** The page gets this activity instead of the host's. */
export async function fakeActivity(page: Page): Promise<void> {
  const spans = Array.from({ length: SPANS }, (_, index) => ({
    id: `s${index}`,
    ...(index > 0 && { parent: `s${index % 10 === 0 ? 0 : index - 1}` }),
    kind: ['component', 'call', 'kv', 'network', 'other'][index % 5],
    name: `GET catalog:entry:${index}`,
    start: index,
    ms: SPANS - index,
    ...(index % 97 === 0 && { status: 500, error: 'the store is full' }),
  }))
  const lines = Array.from({ length: LINES }, (_, index) => ({
    at: index,
    component: 'echo',
    stream: index % 7 === 0 ? 'stderr' : 'stdout',
    line: `line ${index} of what the component has printed for this request`,
  }))
  const request = {
    ...{ id: 'long', time: '2026-01-01T00:00:00.000Z', method: 'POST', path: '/mcp' },
    ...{ outcome: 'ok', status: 200, ms: SPANS, watched: true, components: ['echo'] },
    ...{ counts: { spans: SPANS, lines: LINES, dropped: 0 }, spans, lines },
  }
  await page.route('**/activity?request=*', (route) =>
    route.fulfill({ json: { requests: [request] } }),
  )
}

export interface TraceFigures {
  /** Milliseconds from the click on the tab to the frame that shows all rows. */
  open: number
  scroll: Fluency
}

/**
 * @param page is at a tool of the workbench that has been called, and has {@link fakeActivity}.
 * @param tab of the result.
 */
export async function measureTab(page: Page, tab: 'Trace' | 'Logs'): Promise<TraceFigures> {
  const rows = tab === 'Trace' ? '.trace-row' : '.log-line'
  const count = tab === 'Trace' ? SPANS : LINES
  const open = await page.getByRole('tab', { name: tab }).evaluate(
    async (button, [selector, wanted]) => {
      const begin = performance.now()
      ;(button as HTMLElement).click()
      while (document.querySelectorAll(selector).length < wanted) {
        await new Promise(requestAnimationFrame)
        if (performance.now() - begin > 10_000) throw new Error(`no ${wanted} ${selector}`)
      }
      await new Promise(requestAnimationFrame)
      return performance.now() - begin
    },
    [rows, count] as const,
  )
  // The nearest part of the page around the rows that scrolls.
  const first = page.locator(rows).first()
  await first.evaluate((row) => {
    let at: Element | null = row
    const scrolls = (one: Element) =>
      one.scrollHeight > one.clientHeight + 50 &&
      /auto|scroll/.test(getComputedStyle(one).overflowY)
    while (at && !scrolls(at)) at = at.parentElement
    const found = at ?? document.documentElement
    found.setAttribute('data-scrolled', '')
  })
  const scroll = await whileScrolling(page, page.locator('[data-scrolled]'))
  await page.locator('[data-scrolled]').evaluate((one) => one.removeAttribute('data-scrolled'))
  return { open, scroll }
}
