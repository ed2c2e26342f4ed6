/** The application with authentication, and a browser whose every word is searched for tokens at the end. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import {
  type AuthenticatedApplication,
  type AuthenticatedOptions,
  startAuthenticated,
} from '../authentication/application.ts'
import { EXTERNAL_URL } from '../support/application.ts'
import { findChromium, launch } from './browser.ts'
import { bePatient, STEP_MS } from './patience.ts'

export interface SignInPages {
  readonly app: AuthenticatedApplication
  /** A page in a browser of its own. */
  open(path?: string, options?: BrowserContextOptions, script?: () => void): Promise<Page>
  /** Tokens, keys and codes that must be nowhere. */
  secrets: Set<string>
  /** Everything that the browser printed. */
  printed: string[]
}

/** @param options what is different from an application whose users may do everything. */
export function useSignIn({ script, variables }: AuthenticatedOptions = {}): SignInPages {
  bePatient()
  let app: AuthenticatedApplication | undefined
  let browser: Browser | undefined
  const secrets = new Set<string>()
  const printed: string[] = []
  const problems: string[] = []
  const found = EXTERNAL_URL === undefined ? findChromium() : { reason: 'another application' }
  beforeAll(async () => {
    if (!('path' in found)) return
    browser = await launch(found.path)
    // The audience is derived from the request; a token is over when it says so.
    app = await startAuthenticated({
      variables: { auth_audience: '', auth_leeway_ms: '0', ...variables },
      script: script ?? [
        {
          when: 'lighthouse',
          turns: [
            { calls: [{ name: 'generate_image', arguments: { prompt: 'a lighthouse' } }] },
            { content: 'Here it is.' },
          ],
        },
        { turns: [{ content: 'Good day.' }] },
      ],
    })
  })
  beforeEach((context) => context.skip('reason' in found, 'reason' in found ? found.reason : ''))
  afterEach(async () => {
    if (app) Object.assign(app.issuer, { asks: false, tokenSeconds: 300 })
    for (const context of browser?.contexts() ?? []) {
      for (const page of context.pages()) await search(page)
      await context.close()
    }
    expect(problems.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  function watch(page: Page): void {
    page.setDefaultTimeout(STEP_MS)
    page.on('pageerror', ({ message }) => problems.push(message))
    page.on('console', (message) => {
      printed.push(message.text())
      if (/Content.Security|Trusted/i.test(message.text())) problems.push(message.text())
    })
  }

  /** Notes what the authorization server gives out. */
  async function note(context: BrowserContext): Promise<void> {
    context.on('page', watch)
    await context.route(`${app?.issuer.url}/token`, async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      for (const name of ['access_token', 'refresh_token']) {
        const [, token] = new RegExp(`"${name}":"([^"]+)"`).exec(text) ?? []
        if (token !== undefined) secrets.add(token)
      }
      await route.fulfill({ response, body: text })
    })
  }

  /** Everything that the page has kept or shows. */
  async function search(page: Page): Promise<void> {
    if (page.isClosed() || !page.url().startsWith(app?.url ?? '')) return
    const kept = await page.evaluate(async () => {
      const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? [])
      const contents = await Promise.all(
        names.map(
          (name) =>
            new Promise((resolve) => {
              const opening = indexedDB.open(name)
              opening.onsuccess = () => {
                const { result } = opening
                const reading = result.transaction('records').objectStore('records').getAll()
                reading.onsuccess = () => resolve(reading.result)
                result.close()
              }
            }),
        ),
      )
      return JSON.stringify({
        local: { ...localStorage },
        session: { ...sessionStorage },
        contents,
        databases: names,
        caches: await caches.keys(),
        workers: (await navigator.serviceWorker.getRegistrations()).length,
        cookie: document.cookie,
        address: location.href,
        state: history.state as unknown,
        // Requests with their addresses.
        requests: performance.getEntriesByType('resource').map(({ name }) => name),
        globals: Object.keys(globalThis).filter((name) => /token|session|auth/i.test(name)),
        markup: document.documentElement.outerHTML,
        values: [...document.querySelectorAll('input, textarea')].map(
          (field) => (field as HTMLInputElement).value,
        ),
      })
    })
    expect(kept).toMatch(
      /"databases":\[("ftl-conversations")?\],"caches":\[\],"workers":0,"cookie":""/,
    )
    for (const secret of secrets) expect(kept.includes(secret), 'a token is kept').toBe(false)
  }

  return {
    get app() {
      if (!app) throw new Error('the application is not started yet')
      return app
    },
    secrets,
    printed,
    async open(path = '/', options = {}, script) {
      const context = await browser?.newContext({
        viewport: { width: 1200, height: 800 },
        ...options,
      })
      if (!context) throw new Error('the browser is not started yet')
      if (script) await context.addInitScript(script)
      await note(context)
      const page = await context.newPage()
      await page.goto(this.app.url + path)
      return page
    },
  }
}

export const signInButton = (page: Page) => page.getByRole('button', { name: /^Sign in with/ })
export const card = (page: Page) => page.locator('.sign-in')

/** Clicks, and returns the window that opens. */
export async function openWindow(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await signInButton(page).click()
  return opened
}

/** Signs ada in; the authorization server does not ask. */
export async function signIn(page: Page): Promise<void> {
  await openWindow(page)
  await page.getByRole('button', { name: 'Signed in as ada' }).waitFor()
}
