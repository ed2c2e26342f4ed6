/** Collects what goes wrong in a page: what it throws, and what its policy refuses. */
import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { STEP_MS } from './patience.ts'

/** The one thing the policy may refuse: for a picture Playwright adds this style in Firefox, and takes it away again. */
const OF_PLAYWRIGHT = createHash('sha256').update('body {}').digest('base64')

/** Firefox reports a lost connection like an exception: Chromium does not, and the page shows it itself. */
const CONNECTION =
  /^(Firefox can’t establish a connection to|The connection to \S+ was interrupted)/

export function watch(page: Page, problems: string[]): void {
  page.setDefaultTimeout(STEP_MS)
  const add = (message: string) => {
    if (!message.includes(OF_PLAYWRIGHT) && !CONNECTION.test(message)) problems.push(message)
  }
  page.on('pageerror', ({ message }) => add(message))
  page.on('console', (message) => {
    if (/Content.Security|Trusted/i.test(message.text())) add(message.text())
  })
}
