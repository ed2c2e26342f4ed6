// The main flows of each role, by the keyboard alone, at three widths, light and dark, in Chromium and in Firefox.
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { EXTERNAL_URL } from '../support/application.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { findChromium, launch, SCREENSHOTS, shoot } from './browser.ts'
import { findFirefox } from './storyboard/firefox.ts'
import { FLOWS } from './storyboard/flows.ts'
import { GUARDED } from './storyboard/keys.ts'
import { SCRIPT } from './storyboard/script.ts'
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

let worlds: { open: World; guarded: World } | undefined
beforeAll(async () => {
  if (EXTERNAL_URL !== undefined) return
  const options = { manifest: MANIFESTS.storyboard, script: SCRIPT, wordDelayMs: 8 }
  const open = await startWorld({ ...options, renderSeconds: 1.5 })
  worlds = { open, guarded: await startWorld({ ...options, variables: GUARDED }) }
})
afterAll(async () => {
  await worlds?.open.close()
  await worlds?.guarded.close()
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
    it.for(FLOWS)('$role: $name', { timeout: 120_000 }, async (flow, { skip }) => {
      if ('reason' in found || !worlds) return skip('reason' in found ? found.reason : '')
      const context = await found.browser.newContext({ viewport, colorScheme: null })
      const page = await context.newPage()
      page.setDefaultTimeout(15_000)
      page.on('pageerror', ({ message }) => problems.push(message))
      try {
        const { url, simulator } = worlds[flow.gateway ?? 'open']
        await page.goto(url + (flow.path ?? '/'))
        await walk(page, flow, name, simulator.url)
      } catch (error) {
        await shoot(page, `storyboard-failed-${flow.name.replaceAll(' ', '-')}-${viewport.width}`)
        throw error
      } finally {
        await context.close()
      }
    })
  })
})
