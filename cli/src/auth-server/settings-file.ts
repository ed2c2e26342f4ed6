/** Adds variables to the `.env` of an application. */
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { parseEnv } from 'node:util'

const PREFIX = 'SPIN_VARIABLE_'

export interface Added {
  added: string[]
  /** Those that have a value already, which stays. */
  kept: string[]
}

/** The value of a variable; `undefined` if it has none there. */
export function settingIn(file: string, name: string): string | undefined {
  if (!existsSync(file)) return undefined
  const known = parseEnv(readFileSync(file, 'utf8'))
  const variable = PREFIX + name.toUpperCase()
  return Object.hasOwn(known, variable) ? known[variable] : undefined
}

/** @param settings by variable; no value has a quote or a line break. */
export function addSettings(file: string, settings: ReadonlyMap<string, string>): Added {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const known = parseEnv(before)
  const has = (name: string) => Object.hasOwn(known, PREFIX + name.toUpperCase())
  const missing = [...settings].filter(([name]) => !has(name))
  const lines = missing.map(([name, value]) => `${PREFIX}${name.toUpperCase()}='${value}'\n`)
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  // It has secrets: a new file is for its owner alone.
  const handle = openSync(file, 'a', 0o600)
  try {
    writeSync(handle, gap + lines.join(''))
  } finally {
    closeSync(handle)
  }
  return {
    added: missing.map(([name]) => name),
    kept: [...settings.keys()].filter(has),
  }
}
