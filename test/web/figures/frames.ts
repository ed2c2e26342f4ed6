/** Frames and tasks of a page while something happens in it. */
import type { Locator, Page } from 'playwright-core'

export interface Fluency {
  /** Of the median step between two frames. */
  framesPerSecond: number
  /** Milliseconds of processor time: a busy machine does not let a task run through. */
  longestTask: number
  /** Milliseconds of processor time that the page's main thread takes for a frame: 20 allow 50 frames a second. */
  perFrame: number
  /** Milliseconds, by the page's own observer. */
  longestTaskSeen: number
  /** Number of frames. */
  count: number
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Microseconds of processor time. */
  tdur?: number
  args?: { name?: string }
}

/** While an answer arrives, at most 180 frames. */
export async function whileStreaming(page: Page): Promise<Fluency> {
  return traced(page, () =>
    page.evaluate(async () => {
      const frames: number[] = []
      const tasks: number[] = [0]
      const observer = new PerformanceObserver((list) =>
        tasks.push(...list.getEntries().map(({ duration }) => duration)),
      )
      observer.observe({ type: 'longtask' })
      const isStreaming = () => document.querySelector('[aria-busy="true"]') !== null
      while (isStreaming() && frames.length < 180) {
        frames.push(await new Promise<number>(requestAnimationFrame))
      }
      observer.disconnect()
      return { frames, longestTaskSeen: Math.max(...tasks) }
    }),
  )
}

/** While an element is scrolled for a second, 120 pixels a frame, from its beginning. */
export async function whileScrolling(page: Page, element: Locator): Promise<Fluency> {
  return traced(page, () =>
    element.evaluate(async (scroller) => {
      const frames: number[] = []
      scroller.scrollTop = 0
      for (const begin = performance.now(); performance.now() - begin < 1000;) {
        scroller.scrollTop += 120
        frames.push(await new Promise<number>(requestAnimationFrame))
      }
      return { frames, longestTaskSeen: 0 }
    }),
  )
}

/** The tasks of the page's main thread, by the processor time that each has taken. */
async function traced(
  page: Page,
  run: () => Promise<{ frames: number[]; longestTaskSeen: number }>,
): Promise<Fluency> {
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['toplevel', '__metadata'] })
  const { frames, longestTaskSeen } = await run()
  const trace = JSON.parse(String(await browser?.stopTracing())) as { traceEvents: TraceEvent[] }
  const isMain = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = trace.traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && isMain.has(`${pid} ${tid}`),
  )
  const steps = frames.slice(1).map((at, place) => at - (frames[place] ?? 0))
  const median = steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? Infinity
  return {
    framesPerSecond: 1000 / median,
    perFrame: tasks.reduce((sum, { tdur = 0 }) => sum + tdur / 1000, 0) / frames.length,
    longestTask: Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000)),
    longestTaskSeen,
    count: frames.length,
  }
}

/**
 * What the page's layout takes for a frame while an answer arrives.
 *
 * @returns milliseconds, over at most 180 frames.
 */
export async function layoutPerFrame(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const seconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'LayoutDuration')?.value ?? NaN
  }
  const before = await seconds()
  const frames = await page.evaluate(async () => {
    let count = 0
    const isStreaming = () => document.querySelector('[aria-busy="true"]') !== null
    while (isStreaming() && count < 180) {
      await new Promise(requestAnimationFrame)
      count++
    }
    return count
  })
  const after = await seconds()
  await session.detach()
  return (1000 * (after - before)) / frames
}
