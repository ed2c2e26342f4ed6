/**
 * Who calls `Math.random()` while a component is built. The numbers are the same in each build, and so in each call of the
 * component. Libraries call it for something unimportant when they load; in the author's own code it is a mistake.
 */
import { readFileSync } from 'node:fs'
import type { Bundle } from './bundle.ts'
import { isAuthors } from './explain-failure.ts'
import { packageOf } from './remedies.ts'
import { type OriginalPlace, originalPlace, parseMap } from './source-map.ts'

export interface Chance {
  /** In the form of an engine's error, for `explainFailure`. @default no call of the author's */
  error?: string
  /** Packages that call it, each once. */
  packages: string[]
  /** Lines that the module has printed itself. */
  lines: string[]
}

const MESSAGE =
  'TypeError: random() at module scope is the same in every call. Move it into the handler'
/** A bundler's call that loads a module has the place of the line that imports it. */
const LOADS = /^\s*(?:import|export)\b|\brequire\(/

/** @param printed by the engine: a line of JSON for each call, with its stack. */
export function findChance(
  printed: string,
  id: string,
  { map, ours }: Pick<Bundle, 'map' | 'ours'>,
): Chance {
  const stacks: string[] = []
  const lines: string[] = []
  for (const line of printed.split('\n')) {
    const stack = readCall(line)
    if (stack !== undefined) stacks.push(stack)
    else if (line !== '') lines.push(line)
  }
  if (stacks.length === 0) return { packages: [], lines }
  const sourceMap = parseMap(map)
  const packages = new Set<string>()
  for (const stack of stacks) {
    const places = [...stack.matchAll(/\bbundle\.js:(\d+):(\d+)/g)].map(([, line, column]) => ({
      generated: `${id}.js:${line}:${column}`,
      source: originalPlace(sourceMap, process.cwd(), Number(line), Number(column)),
    }))
    const isTheirs = ({ source }: (typeof places)[number]) =>
      source !== undefined && isAuthors(source.file, ours) && !LOADS.test(lineAt(source))
    if (places.some(isTheirs)) {
      const [first = '', ...others] = places.map(({ generated }) => generated)
      return { error: [`${first} ${MESSAGE}`, ...others].join('\n'), packages: [], lines }
    }
    const name = packageOf(places[0]?.source?.file ?? '')
    if (name !== undefined) packages.add(name)
  }
  return { packages: [...packages], lines }
}

// A module may log JSON with the same first key.
function readCall(line: string): string | undefined {
  if (!line.startsWith('{"random":')) return undefined
  try {
    const { random } = JSON.parse(line) as { random?: unknown }
    return typeof random === 'string' ? random : undefined
  } catch {
    return undefined
  }
}

function lineAt({ file, line }: OriginalPlace): string {
  try {
    return readFileSync(file, 'utf8').split('\n')[line - 1] ?? ''
  } catch {
    return ''
  }
}
