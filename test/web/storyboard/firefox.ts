/** Debian's Firefox, by WebDriver BiDi. */
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type Browser, firefox } from 'playwright-core'

const NAMES = ['firefox-esr', 'firefox']

/** One that can open a page with what our tests set, or the reason why not. */
export async function findFirefox(): Promise<{ browser: Browser } | { reason: string }> {
  const path = process.env['FIREFOX_PATH'] ?? onPath()
  if (path === undefined || path === '') {
    return { reason: 'there is no Firefox on the path; name one with FIREFOX_PATH' }
  }
  let browser: Browser | undefined
  const home = mkdtempSync(join(tmpdir(), 'ftl-firefox-'))
  try {
    // Only this channel is driven by WebDriver BiDi, which an unpatched Firefox has.
    browser = await firefox.launch({
      channel: 'moz-firefox',
      executablePath: path,
      env: { ...process.env, HOME: home },
    })
    const context = await browser.newContext({ colorScheme: null })
    await context.close()
    browser.on('disconnected', () => rmSync(home, { recursive: true, force: true }))
    return { browser }
  } catch (error) {
    await browser?.close()
    rmSync(home, { recursive: true, force: true })
    const [line = ''] = error instanceof Error ? error.message.split('\n') : []
    return { reason: `Playwright cannot drive ${path}: ${line}` }
  }
}

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
