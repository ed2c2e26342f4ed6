// A long conversation in Debian's Firefox. This test measures time, so no other test runs beside it.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { fillConversation, LONG } from './figures/conversation.ts'
import { say, usePage } from './use-page.ts'

const pages = usePage({
  browser: 'firefox',
  wordDelayMs: 5,
  script: [{ turns: [{ content: LONG }] }],
})

it('a long conversation is fluent: 50 frames a second while an answer arrives after 100 messages of 4 KB', async () => {
  const page = await pages.open('/#/jobs')
  await fillConversation(page, pages.world.url, 100)
  // Layout and painting of what is not in view is left out.
  const isDrawn = (place: number) =>
    page.evaluate(
      (at) =>
        [...document.querySelectorAll('.message')]
          .at(at)
          ?.querySelector('p')
          ?.checkVisibility({ contentVisibilityAuto: true }),
      place,
    )
  expect(await isDrawn(0)).toBe(false)
  expect(await isDrawn(-1)).toBe(true)
  let best = 0
  // Other programs of a busy machine can take any moment: each attempt begins when the page at rest has its frames, and the page
  // is what its best of three attempts shows.
  for (let attempt = 0; attempt < 3 && best < 50; attempt++) {
    await expect.poll(() => framesAtRest(page), { timeout: 90_000 }).toBeGreaterThan(55)
    await say(page, 'a long answer')
    await page.locator('[aria-busy="true"] .markdown li').nth(2).waitFor()
    const now = await framesPerSecond(page)
    console.log(`${now.toFixed(0)} frames/s`)
    best = Math.max(best, now)
    await page.getByRole('button', { name: 'Send' }).waitFor()
  }
  expect(best).toBeGreaterThanOrEqual(50)
})

/** While an answer arrives, at most three seconds. */
const framesPerSecond = (page: Page): Promise<number> => frames(page, '[aria-busy="true"]', 180)

/** For a second. */
const framesAtRest = (page: Page): Promise<number> => frames(page, 'body', 60)

/** In the median, of so many frames, as long as the page has such an element. */
async function frames(page: Page, selector: string, most: number): Promise<number> {
  return page.evaluate(
    async ([wanted, count]) => {
      const times: number[] = []
      while (document.querySelector(wanted) !== null && times.length < count) {
        times.push(await new Promise<number>(requestAnimationFrame))
      }
      const steps = times.slice(1).map((at, place) => at - (times[place] ?? 0))
      return 1000 / (steps.sort((a, b) => a - b)[steps.length >> 1] ?? Infinity)
    },
    [selector, most] as const,
  )
}
