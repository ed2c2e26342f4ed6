// The main flows of each role, by the keyboard alone, at three widths, light and dark, in Chromium and in Firefox.
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { EXTERNAL_URL } from '../support/application.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { launch, SCREENSHOTS, shoot } from './browser.ts'
import { BROWSERS, findBrowser, type Found } from './find-browser.ts'
import { FLOWS } from './storyboard/flows.ts'
import { GUARDED } from './storyboard/keys.ts'
import { SCRIPT } from './storyboard/script.ts'
import { SIZES, walk } from './storyboard/walk.ts'
import { watch } from './watch.ts'
import { startWorld, type World } from './world.ts'

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

/** All of them take a quarter of an hour in Firefox: `STORYBOARD=all`. */
const sizesOf = (browser: string) =>
  browser === 'chromium' || process.env['STORYBOARD'] === 'all'
    ? SIZES
    : SIZES.filter(({ width }) => width === 768)

describe.each(BROWSERS)('in %s', (name) => {
  const found: Found =
    EXTERNAL_URL === undefined ? findBrowser(name) : { reason: 'another application' }
  let browser: Browser | undefined
  const problems: string[] = []
  beforeAll(async () => {
    // A browser that is there and cannot be used is a failure.
    if ('path' in found) browser = await launch(found.path, name)
  })
  afterAll(() => browser?.close())
  afterEach(() => expect(problems.splice(0)).toEqual([]))

  describe.each(sizesOf(name))('$width pixels wide', (viewport) => {
    it.for(FLOWS)('$role: $name', { timeout: 120_000 }, async (flow, { skip }) => {
      if ('reason' in found) return skip(found.reason)
      if (!browser || !worlds) throw new Error('the browser or the application did not start')
      const context = await browser.newContext({ viewport, colorScheme: null })
      const page = await context.newPage()
      watch(page, problems)
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
