// The main flows of each role, by the keyboard alone, at three widths, light and dark, in Chromium and in Firefox.
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { EXTERNAL_URL } from '../support/application.ts'
import { findChromium, launch, SCREENSHOTS } from './browser.ts'
import { findFirefox } from './storyboard/firefox.ts'
import { FLOWS } from './storyboard/flows.ts'
import { SIZES, walk } from './storyboard/walk.ts'
import { startWorld, type World } from './world.ts'

type Found = { browser: Browser } | { reason: string }

const browsers: Record<string, () => Promise<Found>> = {
  chromium: async () => {
    const found = findChromium()
    return 'path' in found ? { browser: await launch(found.path) } : found
  },
  firefox: findFirefox,
}

let world: World | undefined
beforeAll(async () => {
  if (EXTERNAL_URL === undefined) world = await startWorld()
})
afterAll(async () => {
  await world?.close()
  console.log(`pictures: ${SCREENSHOTS}/storyboard`)
})

describe.each(Object.keys(browsers))('in %s', (name) => {
  let found: Found = { reason: 'another application' }
  const problems: string[] = []
  beforeAll(async () => {
    if (EXTERNAL_URL === undefined) found = (await browsers[name]?.()) ?? found
  })
  afterAll(async () => {
    if ('browser' in found) await found.browser.close()
  })
  afterEach(() => expect(problems.splice(0)).toEqual([]))

  describe.each(SIZES)('$width pixels wide', (viewport) => {
    it.for(FLOWS)('$role: $name', async (flow, { skip }) => {
      if ('reason' in found || !world) return skip('reason' in found ? found.reason : '')
      const context = await found.browser.newContext({ viewport, colorScheme: null })
      const page = await context.newPage()
      page.setDefaultTimeout(15_000)
      page.on('pageerror', ({ message }) => problems.push(message))
      try {
        await page.goto(world.url + (flow.path ?? '/'))
        await walk(page, flow, name)
      } finally {
        await context.close()
      }
    })
  })
})
