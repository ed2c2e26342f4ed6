// The figures of docs/web.md, as limits. `npm run bench -- --section page` prints what they are.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Fluency } from './figures/frames.ts'
import { coldStart } from './figures/start.ts'
import { fakeTools, type ListFigures, measureToolList, memoryOf } from './figures/tool-list.ts'
import { fakeActivity, measureTab, SPANS, type TraceFigures } from './figures/trace.ts'
import { usePage } from './use-page.ts'

const pages = usePage()

/**
 * What a measurement shows in the best of some attempts: other programs of a busy machine can take any moment.
 *
 * @param isFine ends the attempts.
 */
async function best<T>(measure: () => Promise<T>, isFine: (figures: T) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const figures = await measure()
    console.log(JSON.stringify(figures))
    if (isFine(figures) || attempt === 6) return figures
  }
}

/** Milliseconds of processor time, which other programs do not change: those of a frame allow 50 of them a second. */
const FRAME = 20
/** The same of the longest task. On a quiet machine it is 9 ms in the list and 19 ms in a trace. */
const TASK = { list: 30, trace: 45 }

const isFluent = ({ perFrame, longestTask }: Fluency, task: number) =>
  perFrame <= FRAME && longestTask <= task

describe('the speed of the page', () => {
  it('is painted and usable within two seconds, in a browser that has not seen it', async () => {
    const page = await pages.open()
    const browser = page.context().browser()
    if (!browser) throw new Error('the browser has no process')
    const isFine = (start: { interactive: number }) => start.interactive < 2000
    const start = await best(() => coldStart(browser, pages.world.url), isFine)
    expect(start.painted).toBeGreaterThan(0)
    expect(start.painted).toBeLessThan(2000)
    expect(start.interactive).toBeLessThan(2000)
  })

  async function listOf(count: number): Promise<ListFigures> {
    const page = await pages.open('/#/jobs')
    await fakeTools(page, count)
    const figures = await measureToolList(page)
    await page.context().close()
    return figures
  }

  it('with 2,000 tools is a list that opens within a second and is scrolled so that 50 frames a second are possible', async () => {
    const figures = await best(
      () => listOf(2000),
      ({ open, scroll }) => open < 1000 && isFluent(scroll, TASK.list),
    )
    expect(figures.scroll.count).toBeGreaterThan(20)
    expect(figures.open).toBeLessThan(1000)
    expect(figures.scroll.perFrame).toBeLessThanOrEqual(FRAME)
    expect(figures.scroll.longestTask).toBeLessThanOrEqual(TASK.list)
  })

  it('with 2,000 tools has the same size of document as with 100, and less than 5 MB more in memory', async () => {
    const [few, many] = [await listOf(100), await listOf(2000)]
    expect(Math.abs(many.nodes - few.nodes)).toBeLessThan(100)
    expect(many.heap - few.heap).toBeLessThan(5e6)
    // 4.3 MB on the day it was measured.
    expect(many.heap).toBeLessThan(9e6)
  })

  async function called(): Promise<Page> {
    const page = await pages.open('/#/tools/echo?args={"message":"hi"}')
    await fakeActivity(page)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('tab', { name: 'Trace' }).waitFor()
    return page
  }

  it.each(['Trace', 'Logs'] as const)(
    `of ${SPANS} rows in the tab %s: it opens within a second and is scrolled so that 50 frames a second are possible`,
    async (tab) => {
      const measure = async (): Promise<TraceFigures> => {
        const page = await called()
        const figures = await measureTab(page, tab)
        await page.context().close()
        return figures
      }
      const figures = await best(
        measure,
        ({ open, scroll }) => open < 1000 && isFluent(scroll, TASK.trace),
      )
      expect(figures.scroll.count).toBeGreaterThan(20)
      expect(figures.open).toBeLessThan(1000)
      expect(figures.scroll.perFrame).toBeLessThanOrEqual(FRAME)
      expect(figures.scroll.longestTask).toBeLessThanOrEqual(TASK.trace)
    },
  )

  it('leaves no memory behind when views are opened and closed 20 times', async () => {
    const page = await pages.open('/#/tools')
    const round = async () => {
      for (const view of ['jobs', 'activity', 'connect', 'gallery', 'tools', 'chat']) {
        await page.evaluate((name) => (location.hash = `#/${name}`), view)
        await page.evaluate(() => new Promise(requestAnimationFrame))
      }
      await page.getByLabel('Message').waitFor()
    }
    for (let times = 0; times < 3; times++) await round()
    const before = await memoryOf(page)
    for (let times = 0; times < 20; times++) await round()
    const after = await memoryOf(page)
    expect(after.heap - before.heap).toBeLessThan(2e6)
    expect(after.nodes - before.nodes).toBeLessThan(500)
  })
})
