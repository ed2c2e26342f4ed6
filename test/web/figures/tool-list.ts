/** The list of tools, with as many as are wanted. */
import type { Page } from 'playwright-core'
import { type Fluency, whileScrolling } from './frames.ts'

/** The page gets this list instead of the gateway's. */
export async function fakeTools(page: Page, count: number): Promise<void> {
  await page.route('**/tools', (route) =>
    route.fulfill({
      json: {
        tools: Array.from({ length: count }, (_, index) => ({
          name: `tool_${index}`,
          description: index === 1500 ? 'finds needles' : 'something',
          inputSchema: { type: 'object' },
          annotations: index % 2 ? { readOnlyHint: true } : { destructiveHint: true },
        })),
      },
    }),
  )
  await page.route('**/tools?*', (route) => route.fulfill({ json: { owners: {} } }))
}

export interface ListFigures {
  /** Milliseconds from the click on the view to the frame that shows the list. */
  open: number
  scroll: Fluency
  /** Bytes of JavaScript, after a collection of garbage. */
  heap: number
  /** Elements and texts of the document. */
  nodes: number
}

/** @param page is at a view that shows no tools, and has {@link fakeTools}. */
export async function measureToolList(page: Page): Promise<ListFigures> {
  const open = await page.evaluate(async () => {
    const begin = performance.now()
    location.hash = '#/tools'
    while (!document.querySelector('.tool-row')) await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    return performance.now() - begin
  })
  const scroll = await whileScrolling(page, page.locator('.tool-rows'))
  return { open, scroll, ...(await memoryOf(page)) }
}

export async function memoryOf(page: Page): Promise<{ heap: number; nodes: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const valueOf = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? NaN
  return { heap: valueOf('JSHeapUsedSize'), nodes: valueOf('Nodes') }
}
