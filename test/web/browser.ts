/** A real Chromium: that of `CHROMIUM_PATH`, or the first one on the path. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** Where one is; where CI runs as root on Debian, after it was installed. */
export function findChromium(): { path: string } | { reason: string } {
  const named = process.env['CHROMIUM_PATH']
  if (named !== undefined && named !== '') {
    return isProgram(named) ? { path: named } : { reason: `CHROMIUM_PATH: there is no ${named}` }
  }
  const found = onPath()
  if (found !== undefined) return { path: found }
  const mayInstall =
    process.env['CI'] === 'true' && process.getuid?.() === 0 && existsSync('/etc/debian_version')
  if (mayInstall) {
    console.log('there is no Chromium: apt-get install -y chromium')
    try {
      // A new machine has no lists yet.
      execFileSync('apt-get', ['update'], { stdio: 'ignore' })
      execFileSync('apt-get', ['install', '-y', 'chromium'], { stdio: 'ignore' })
    } catch {
      return { reason: 'there is no Chromium, and apt-get could not install it' }
    }
    const installed = onPath()
    if (installed !== undefined) return { path: installed }
  }
  return { reason: 'there is no Chromium on the path; name one with CHROMIUM_PATH' }
}

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export async function launch(executablePath: string): Promise<Browser> {
  // As root Chromium has no sandbox; the pages it opens here are our own.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args })
}

/** For people to look at; not part of the repository. */
export const SCREENSHOTS = fileURLToPath(new URL('./screenshots-out', import.meta.url))

export async function shoot(page: Page, name: string): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
}
