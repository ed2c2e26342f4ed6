/** Plays all flows in a browser: one start of it, and one page for each width. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { EXTERNAL_URL } from '../../support/application.ts'
import { MANIFESTS } from '../../support/manifests.ts'
import { launch, SCREENSHOTS, shoot } from '../browser.ts'
import { type BrowserName, findBrowser, type Found } from '../find-browser.ts'
import { watch } from '../watch.ts'
import { startWorld, type World } from '../world.ts'
import { FLOWS } from './flows.ts'
import { GUARDED } from './keys.ts'
import { SCRIPT } from './script.ts'
import { SIZES, walk } from './walk.ts'

type Size = (typeof SIZES)[number]

export function playIn(name: BrowserName): void {
  const found: Found =
    EXTERNAL_URL === undefined ? findBrowser(name) : { reason: 'another application' }
  const problems: string[] = []
  let browser: Browser | undefined
  let worlds: { open: World; guarded: World } | undefined
  beforeAll(async () => {
    if (!('path' in found)) return
    const options = { manifest: MANIFESTS.storyboard, script: SCRIPT, wordDelayMs: 8 }
    const [open, guarded, started] = await Promise.all([
      startWorld({ ...options, renderSeconds: 1 }),
      startWorld({ ...options, variables: GUARDED }),
      // A browser that is there and cannot be used is a failure.
      launch(found.path, name),
    ])
    worlds = { open, guarded }
    browser = started
  })
  afterAll(async () => {
    await browser?.close()
    await worlds?.open.close()
    await worlds?.guarded.close()
    console.log(`pictures: ${SCREENSHOTS}/storyboard`)
  })
  afterEach(() => expect(problems.splice(0)).toEqual([]))

  describe.each(SIZES)('$width pixels wide', (viewport) => {
    let tab: { context: BrowserContext; page: Page } | undefined
    const close = async () => {
      await tab?.context.close()
      tab = undefined
    }
    afterAll(close)
    it.for(FLOWS)('$role: $name', { timeout: 120_000 }, async (flow, { skip }) => {
      if ('reason' in found) return skip(found.reason)
      if (!browser || !worlds) throw new Error('the browser or the application did not start')
      const { url, simulator } = worlds[flow.gateway ?? 'open']
      // To load the page again takes as long as to walk through most flows, so the browser keeps its cache.
      tab ??= await openTab(browser, viewport, problems)
      const { page } = tab
      try {
        await page.goto(url + (flow.path ?? '/'))
        await walk(page, flow, name, simulator.url)
        await forget(page, url)
      } catch (error) {
        await shoot(page, `storyboard-failed-${flow.name.replaceAll(' ', '-')}-${viewport.width}`)
        await close()
        throw error
      }
    })
  })
}

async function openTab(browser: Browser, viewport: Size, problems: string[]) {
  const context = await browser.newContext({ viewport, colorScheme: null })
  const page = await context.newPage()
  watch(page, problems)
  return { context, page }
}

/** The next flow begins as in a browser that has stored nothing. */
async function forget(page: Page, url: string): Promise<void> {
  await page.unrouteAll()
  // A page of the same origin without a script: nothing is stored meanwhile.
  await page.goto(`${url}/app/none`)
  await page.evaluate(async () => {
    localStorage.clear()
    sessionStorage.clear()
    for (const { name = '' } of await indexedDB.databases()) {
      await new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase(name)
        request.onsuccess = resolve
        request.onerror = request.onblocked = () => reject(new Error(`${name} is still in use`))
      })
    }
  })
}
