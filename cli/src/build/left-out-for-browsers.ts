/**
 * Modules of Node that a package leaves out of its build for browsers. It gets an empty object instead, and the
 * error is only "not a function". The names are kept in the source map, where the log of a call finds them too.
 */
import type { Metafile } from 'esbuild'
import { hasNodeCompat } from './node-compat/names.ts'
import { packageOf } from './remedies.ts'

/** By package. */
export type LeftOut = Readonly<Record<string, readonly string[]>>

const KEY = 'x_ftl_left_out'
const DISABLED = '(disabled):'
/** What an engine says of something that an empty object does not have. */
const SYMPTOM =
  /TypeError: .*\bnot a (function|constructor)|TypeError: .*(cannot read propert|of undefined|is undefined|not an object)|parent class must be constructor/

/** @returns the map, with the names in it if there are any. */
export function noteLeftOut(map: string, inputs: Metafile['inputs']): string {
  const found = new Map<string, Set<string>>()
  for (const [file, { imports }] of Object.entries(inputs)) {
    const name = packageOf(file)
    for (const { path, original } of imports) {
      if (name === undefined || original === undefined || !path.startsWith(DISABLED)) continue
      found.set(name, (found.get(name) ?? new Set()).add(original.replace(/^node:/, '')))
    }
  }
  if (found.size === 0) return map
  const leftOut = Object.fromEntries(
    [...found].map(([name, modules]) => [name, [...modules].sort()]),
  )
  return JSON.stringify({ ...(JSON.parse(map) as object), [KEY]: leftOut })
}

export function readLeftOut(map: string): LeftOut {
  if (!map.includes(KEY)) return {}
  return (JSON.parse(map) as { [KEY]?: LeftOut })[KEY] ?? {}
}

export const mayBeLeftOut = (message: string): boolean => SYMPTOM.test(message)

/** @param file in which the error is. */
export function leftOutHint(leftOut: LeftOut, file: string): string | undefined {
  const name = packageOf(file)
  const modules = name === undefined || !Object.hasOwn(leftOut, name) ? undefined : leftOut[name]
  if (!modules) return undefined
  const remedy = modules.some(hasNodeCompat)
    ? 'Set node_compat = true in [component.NAME.tool.ftl], or use another package'
    : 'Use another package'
  return `The package "${name}" leaves ${modules.join(', ')} of Node out of its build for browsers. ${remedy}`
}
