/** The page of an application that runs programs, in a real browser. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type Host, startHost } from 'ftl-host'
import { EXTERNAL_URL } from '../../support/application.ts'
import { DRAIN_MS } from '../../support/drain.ts'
import { MANIFESTS } from '../../support/manifests.ts'
import { findChromium, launch } from '../browser.ts'
import { bePatient, STEP_MS } from '../patience.ts'

export interface CodePages {
  readonly url: string
  /** A browser of its own. What it throws or is refused by its policy fails the test. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>
}

/** @param variables of the application. */
export function useCodePage(variables: Record<string, string> = {}): CodePages {
  bePatient()
  let host: Host | undefined
  let browser: Browser | undefined
  let folder = ''
  const problems: string[] = []
  const found = EXTERNAL_URL === undefined ? findChromium() : { reason: 'another application' }
  beforeAll(async () => {
    if (!('path' in found)) return
    folder = await mkdtemp(join(tmpdir(), 'ftl-code-page-'))
    browser = await launch(found.path)
    host = await startHost({
      drainMs: DRAIN_MS,
      manifest: MANIFESTS.codePage,
      listen: '127.0.0.1:0',
      stateDir: folder,
      cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
      env: {},
      variables,
    })
    for (const path of ['/', '/tools']) await (await fetch(host.url + path)).text()
  })
  beforeEach((context) => context.skip('reason' in found, 'reason' in found ? found.reason : ''))
  afterEach(async () => {
    await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
    expect(problems.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await host?.close()
    if (folder !== '') await rm(folder, { recursive: true, force: true })
  })
  return {
    get url() {
      return host?.url ?? ''
    },
    async open(path = '/#/code', options = {}) {
      const context = await browser?.newContext({
        viewport: { width: 1440, height: 900 },
        ...options,
      })
      if (!context) throw new Error('the browser is not started yet')
      const page = await context.newPage()
      page.setDefaultTimeout(STEP_MS)
      page.on('pageerror', ({ message }) => problems.push(message))
      page.on('console', (message) => {
        if (/Content.Security|Trusted/i.test(message.text())) problems.push(message.text())
      })
      await page.goto(this.url + path)
      return page
    },
  }
}

export const editor = (page: Page) => page.getByRole('textbox', { name: 'Program' })
export const output = (page: Page) => page.getByRole('region', { name: 'Output' })

/** Replaces the program. */
export async function write(page: Page, code: string): Promise<void> {
  await editor(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(code)
  await page.keyboard.press('Escape')
}

/** Runs it from the keyboard. */
export async function run(page: Page, code: string): Promise<void> {
  await write(page, code)
  await page.keyboard.press('Control+Enter')
}
