/** A real browser: Chromium, or Debian's Firefox, with the same interface. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type BrowserName, findBrowser, type Found } from './find-browser.ts'
import { type FirefoxOptions, launchFirefox } from './firefox.ts'

/** Chromium takes the last list of features only, so the one that Playwright gives must be part of ours. */
const OFF_BY_PLAYWRIGHT = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
]

/** Hidden pages of its address bar: each window loads them, and takes two thirds of its opening time for it. */
const OFF = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

export const findChromium = (): Found => findBrowser('chromium')

/** @param options of Firefox */
export async function launch(
  path: string,
  name: BrowserName = 'chromium',
  options?: FirefoxOptions,
): Promise<Browser> {
  if (name === 'firefox') return launchFirefox(path, options)
  // As root Chromium has no sandbox; the pages it opens here are our own.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  args.push(`--disable-features=${[...OFF_BY_PLAYWRIGHT, ...OFF].join(',')}`)
  return chromium.launch({ executablePath: path, args })
}

/** For people to look at; not part of the repository. */
export const SCREENSHOTS = fileURLToPath(new URL('./screenshots-out', import.meta.url))

export async function shoot(page: Page, name: string): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
}
