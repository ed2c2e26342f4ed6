/** Rewrites lines that a component prints: replaces places in its bundle by places in its sources. */
import { readFileSync, statSync } from 'node:fs'
import type { SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { engineHint, namedFor } from '../build/hints.ts'
import {
  type LeftOut,
  leftOutHint,
  mayBeLeftOut,
  readLeftOut,
} from '../build/left-out-for-browsers.ts'
import { mapPath, originalPlace, parseMap } from '../build/source-map.ts'
import { visible } from '../terminal/visible-text.ts'

/** Shorter names come from the minifier. */
const SHORTEST_NAME = 3

const LONGEST_LINE = 5000

interface Known {
  modified: number
  map: SourceMap | undefined
  leftOut: LeftOut
}

/**
 * @param outputOf path of the `.wasm` of a component; `undefined` for one that is not built here.
 * @returns what to print instead of a line.
 */
export function stackLines(
  outputOf: (component: string) => string | undefined,
): (component: string, line: string) => string {
  const maps = new Map<string, Known>()
  /** Components whose last line was an error that the first place may explain. */
  const open = new Set<string>()
  return (component, line) => namedFor(component, rewritten(component, line))

  function rewritten(component: string, line: string): string {
    const isFirst = open.delete(component)
    if (line.length <= LONGEST_LINE && mayBeLeftOut(line)) open.add(component)
    // The search takes quadratic time, and a component may print a megabyte in one line.
    if (line.length > LONGEST_LINE) return line
    if (!line.includes('.js'))
      return withRemedy(line.replace('[component.ID.', `[component.${component}.`))
    const output = outputOf(component)
    const known = output === undefined ? undefined : readMap(mapPath(output), maps)
    const map = known?.map
    if (output === undefined || known === undefined || map === undefined) return line
    // Both repetitions are bounded, because the component controls the line and the search takes quadratic time.
    const bundle = `[^\\s("]{0,200}\\bbundle\\.js`
    const place = (row: string, column: string): string | undefined => {
      const found = originalPlace(map, dirname(output), Number(row), Number(column))
      return (
        found && `${visible(relative(process.cwd(), found.file))}:${found.line}:${found.column}`
      )
    }
    const frame = `^ *at (async )?(?:(\\S{0,200}) )?\\(?${bundle}:(\\d+):(\\d+)\\)?$`
    const [, async = '', name = '', row = '', column = ''] = new RegExp(frame).exec(line) ?? []
    if (row !== '') {
      const found = place(row, column)
      if (found === undefined) return line
      const hint = isFirst
        ? leftOutHint(known.leftOut, resolve(found.replace(/:\d+:\d+$/, '')))
        : undefined
      const remedy = hint === undefined ? '' : `\n    ${hint}.`
      const isOurs = name === '<anonymous>' || name.length < SHORTEST_NAME
      return (isOurs ? `    at ${async}${found}` : `    at ${async}${name} (${found})`) + remedy
    }
    return line.replaceAll(
      new RegExp(`${bundle}:(\\d+):(\\d+)`, 'g'),
      (whole, one: string, two: string) => place(one, two) ?? whole,
    )
  }
}

/** Adds what to do, because the engine names what a component lacks but not what to use instead. */
function withRemedy(line: string): string {
  const hint = /Error: |^Warning: /.test(line) ? engineHint(line) : undefined
  return hint === undefined ? line : `${line.replace(/\.$/, '')}. ${hint}.`
}

function readMap(path: string, maps: Map<string, Known>): Known {
  const modified = modifiedAt(path)
  const known = maps.get(path)
  if (known?.modified === modified) return known
  const read = { modified, ...(modified === 0 ? NO_MAP : tryParse(path)) }
  maps.set(path, read)
  return read
}

const NO_MAP = { map: undefined, leftOut: {} }

function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs
  } catch {
    return 0
  }
}

function tryParse(path: string): Omit<Known, 'modified'> {
  try {
    const text = readFileSync(path, 'utf8')
    return { map: parseMap(text), leftOut: readLeftOut(text) }
  } catch {
    return NO_MAP
  }
}
