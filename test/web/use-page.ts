/** Pages of a real browser for the tests of a file. */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { EXTERNAL_URL } from '../support/application.ts'
import { launch, SCREENSHOTS } from './browser.ts'
import { type BrowserName, findBrowser } from './find-browser.ts'
import type { FirefoxOptions } from './firefox.ts'
import { bePatient } from './patience.ts'
import { watch } from './watch.ts'
import { startWorld, type World, type WorldOptions } from './world.ts'

/** To run other tests in Firefox than those that always do. */
const CHOSEN: BrowserName = process.env['WEB_BROWSER'] === 'firefox' ? 'firefox' : 'chromium'

export interface Pages {
  readonly world: World
  /** In a browser of its own: nothing is stored yet. What it throws or is refused by its policy fails the test. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>
  /** Another tab of the same browser. */
  tab(of: Page, path?: string): Promise<Page>
  /** What went wrong until now, which then does not fail the test. */
  takeProblems(): string[]
}

export interface PageOptions extends WorldOptions {
  /** @default that of `WEB_BROWSER`, else Chromium */
  browser?: BrowserName
  /** Of Firefox. */
  launch?: FirefoxOptions
  /** For attacks, whose refusals by a policy are what is wanted. @default false */
  isTolerant?: boolean
}

/** Starts the application and a browser before the tests of a file; without a browser they are skipped, with the reason. */
export function usePage({
  browser: name = CHOSEN,
  launch: settings,
  isTolerant = false,
  ...options
}: PageOptions = {}): Pages {
  bePatient()
  let world: World | undefined
  let browser: Browser | undefined
  let problems: string[] = []
  const found = EXTERNAL_URL === undefined ? findBrowser(name) : { reason: 'another application' }
  beforeAll(async () => {
    if (!('path' in found)) return
    browser = await launch(found.path, name, settings)
    world = await startWorld(options)
  })
  beforeEach((context) => context.skip('reason' in found, 'reason' in found ? found.reason : ''))
  afterEach(async () => {
    await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
    expect(problems.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
    if (world) console.log(`screenshots: ${SCREENSHOTS}`)
  })
  const watched = (page: Page) => {
    watch(page, isTolerant ? [] : problems)
    return page
  }
  return {
    get world() {
      if (!world) throw new Error('the application is not started yet')
      return world
    },
    async open(path = '/', settings = {}) {
      problems = []
      const context = await browser?.newContext({
        viewport: { width: 1440, height: 900 },
        ...settings,
      })
      if (!context) throw new Error('the browser is not started yet')
      const page = watched(await context.newPage())
      await page.goto(this.world.url + path)
      return page
    },
    takeProblems: () => problems.splice(0),
    async tab(of, path = '/') {
      const page = watched(await of.context().newPage())
      await page.goto(this.world.url + path)
      return page
    },
  }
}

/** Chooses a tool of the workbench, which is open. @returns its form and its results. */
export async function openTool(page: Page, title: string): Promise<Locator> {
  await page.locator('.tool-row').getByRole('link', { name: title }).first().click()
  const pane = page.getByRole('article', { name: title })
  await pane.waitFor()
  return pane
}

/** The text of the answer that is shown, which may be shown as a tree. */
export async function answerText(pane: Locator): Promise<string> {
  const text = pane.locator('.part')
  await text.first().waitFor()
  const asJson = text.first().getByRole('button', { name: 'As JSON', pressed: true })
  if ((await asJson.count()) > 0) await asJson.click()
  return (await text.first().locator('.said').textContent()) ?? ''
}

/** Writes it into the composer and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  // While an answer comes there is Stop in its place.
  await page.getByRole('button', { name: 'Send' }).waitFor()
  await page.getByLabel('Message').fill(text)
  await page.getByLabel('Message').press('Enter')
}

/** The pixels of the first picture in the page that has a result: how many colours, and whether it has a size. */
export async function pixels(page: Page, selector = '.card[data-state="completed"] img') {
  const image = page.locator(selector).last()
  await image.waitFor()
  return image.evaluate(async (element) => {
    const picture = element as HTMLImageElement
    await picture.decode()
    const canvas = document.createElement('canvas')
    const { naturalWidth: width, naturalHeight: height } = picture
    Object.assign(canvas, { width, height })
    const context = canvas.getContext('2d')
    context?.drawImage(picture, 0, 0)
    const { data = [] } = context?.getImageData(0, 0, width, height) ?? {}
    const colours = new Set<string>()
    for (let at = 0; at < data.length; at += 4 * 97) {
      colours.add(`${data[at]},${data[at + 1]},${data[at + 2]}`)
    }
    return { width, height, colours: colours.size }
  })
}

/** Notes every text of the elements, as it changes. To be asked for with {@link noted}. */
export async function note(page: Page, selector: string): Promise<void> {
  await page.evaluate((wanted) => {
    const log: string[] = []
    Object.assign(globalThis, { noted: log })
    new MutationObserver(() => {
      const words = document.querySelector(wanted)?.textContent
      if (words && words !== log.at(-1)) log.push(words)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  }, selector)
}

export async function noted(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as { noted: string[] }).noted)
}
