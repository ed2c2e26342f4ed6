/** The browsers of this machine: those of `CHROMIUM_PATH` and `FIREFOX_PATH`, or the first ones on the path. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isNightly } from '../support/nightly.ts'

/** The same Chromium without its own windows: a page takes a quarter less processor time. */
const SHELL = 'chromium-headless-shell'
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

const KNOWN = {
  chromium: {
    title: 'Chromium',
    variable: 'CHROMIUM_PATH',
    // The nightly run has the one that people use.
    programs: isNightly ? [...WHOLE, SHELL] : [SHELL, ...WHOLE],
    debian: isNightly ? 'chromium' : SHELL,
  },
  firefox: {
    title: 'Firefox',
    variable: 'FIREFOX_PATH',
    programs: ['firefox-esr', 'firefox'],
    debian: 'firefox-esr',
  },
} as const

export type BrowserName = keyof typeof KNOWN

export type Found = { path: string } | { reason: string }

/** Where one is; where CI runs as root on Debian, after it was installed. */
export function findBrowser(name: BrowserName): Found {
  const { title, variable, debian } = KNOWN[name]
  const named = process.env[variable]
  if (named !== undefined && named !== '') {
    return isProgram(named) ? { path: named } : { reason: `${variable}: there is no ${named}` }
  }
  const found = onPath(name)
  if (found !== undefined) return { path: found }
  const install = `apt-get install -y ${debian}`
  const mayInstall =
    process.env['CI'] === 'true' && process.getuid?.() === 0 && existsSync('/etc/debian_version')
  if (mayInstall) {
    console.log(`there is no ${title}: ${install}`)
    try {
      // A new machine has no lists yet.
      execFileSync('apt-get', ['update'], { stdio: 'ignore' })
      execFileSync('apt-get', ['install', '-y', debian], { stdio: 'ignore' })
    } catch {
      return { reason: `there is no ${title}, and "${install}" failed` }
    }
    const installed = onPath(name)
    if (installed !== undefined) return { path: installed }
  }
  return {
    reason: `there is no ${title} on the path: install it (on Debian: ${install}), or name one with ${variable}`,
  }
}

function onPath(name: BrowserName): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return KNOWN[name].programs
    .flatMap((program) => folders.map((folder) => join(folder, program)))
    .find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
