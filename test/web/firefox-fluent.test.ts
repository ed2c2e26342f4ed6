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
  // Other programs of a busy machine can take any moment: the page is what its best of three attempts shows.
  for (let attempt = 0; attempt < 3 && best < 50; attempt++) {
    await say(page, 'a long answer')
    await page.locator('[aria-busy="true"] .markdown li').nth(2).waitFor()
    const now = await framesPerSecond(page)
    console.log(`${now.toFixed(0)} frames/s`)
    best = Math.max(best, now)
    await page.getByRole('button', { name: 'Send' }).waitFor()
  }
  expect(best).toBeGreaterThanOrEqual(50)
})

async function framesPerSecond(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const frames: number[] = []
    const isStreaming = () => document.querySelector('[aria-busy="true"]') !== null
    while (isStreaming() && frames.length < 180) {
      frames.push(await new Promise<number>(requestAnimationFrame))
    }
    const steps = frames.slice(1).map((at, place) => at - (frames[place] ?? 0))
    return 1000 / (steps.sort((a, b) => a - b)[steps.length >> 1] ?? Infinity)
  })
}
