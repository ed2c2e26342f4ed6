/**
 * Debian's Firefox, without patches, by WebDriver BiDi.
 *
 * Playwright has a channel for it, but each of its contexts sends `emulation.setMediaFeaturesOverride`, which Firefox 153
 * does not know. In its place goes a command that sets the preference by which Firefox chooses the colour scheme.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, firefox, type LaunchOptions } from 'playwright-core'

interface Command {
  id: number
  method: string
  params: object
}

/** What Playwright keeps of a browser. Internal to it: its version is pinned, and no test in Firefox passes without. */
interface Internal {
  _browserSession: {
    send(method: string, params: object): Promise<unknown>
    connection: { rawSend(command: Command): void }
  }
}

interface MediaFeatures {
  features?: { 'prefers-color-scheme'?: 'light' | 'dark' | null }
}

/** Preferences are those of `about:config`. */
export type FirefoxOptions = Pick<LaunchOptions, 'firefoxUserPrefs' | 'downloadsPath'>

/** The numbers are those of Firefox. */
const SCHEMES = { dark: 0, light: 1, system: 2 } as const
const SET_SCHEME =
  "(scheme) => Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', scheme)"

/** The colour scheme is that of the page that was opened last, for all pages. */
export async function launchFirefox(
  executablePath: string,
  options: FirefoxOptions = {},
): Promise<Browser> {
  // Firefox refuses a home folder of another user.
  const home = mkdtempSync(join(tmpdir(), 'ftl-firefox-'))
  const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  try {
    const browser = await firefox.launch({
      channel: 'moz-firefox',
      executablePath,
      // Allows to set preferences.
      args: ['--remote-allow-system-access'],
      env: { ...process.env, HOME: home },
      ...options,
    })
    browser.on('disconnected', remove)
    await replaceMediaFeatures(browser)
    return browser
  } catch (error) {
    remove()
    throw error
  }
}

async function replaceMediaFeatures(browser: Browser): Promise<void> {
  const { _connection: client } = browser as unknown as {
    _connection: { toImpl(of: Browser): Internal }
  }
  const session = client.toImpl(browser)._browserSession
  const { connection } = session
  // The first window stays open.
  const tree = await session.send('browsingContext.getTree', { 'moz:scope': 'chrome', maxDepth: 0 })
  const [window] = (tree as { contexts: { context: string }[] }).contexts
  const rawSend = connection.rawSend.bind(connection)
  connection.rawSend = (command) => {
    if (command.method !== 'emulation.setMediaFeaturesOverride') return rawSend(command)
    const { features } = command.params as MediaFeatures
    const value = SCHEMES[features?.['prefers-color-scheme'] ?? 'system']
    const params = {
      functionDeclaration: SET_SCHEME,
      arguments: [{ type: 'number', value }],
      target: { context: window?.context },
      awaitPromise: false,
    }
    rawSend({ ...command, method: 'script.callFunction', params })
  }
}
