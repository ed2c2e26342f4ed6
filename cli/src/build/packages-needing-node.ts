/**
 * Packages that need modules of Node: one problem for each package that the author imports, with the line of the import,
 * instead of one for each line in `node_modules`.
 */
import { readFileSync } from 'node:fs'
import type { Message, Metafile } from 'esbuild'
import { isNodeModule } from './hints.ts'
import { hasNodeCompat } from './node-compat/names.ts'
import { packageOf, remedyWords } from './remedies.ts'
import { excerpt } from './source-excerpt.ts'

/** What a bundle consists of, by path; `undefined` if it cannot be found out. */
export type Graph = Metafile['inputs'] | undefined

interface Missing {
  /** Modules of Node. */
  modules: Set<string>
  hasAddon: boolean
  /** The path and line of its import, in a file of the author's. */
  place: { file: string; specifier: string } | undefined
}

/** @returns the problems, and the messages that they do not explain. */
export function explainPackages(
  messages: readonly Message[],
  graph: Graph,
  id: string,
): { problems: string[]; rest: Message[] } {
  const packages = new Map<string, Missing>()
  const rest = messages.filter((message) => {
    const { location, text } = message
    const inner = packageOf(location?.file ?? /"?([^"]*\.node)\b/.exec(text)?.[1] ?? '')
    const module = /^Could not resolve "([^"]+)"/.exec(text)?.[1] ?? ''
    const isAddon = /^No loader is configured for "\.node" files/.test(text)
    if (inner === undefined || !(isAddon || isNodeModule(module))) return true
    const place = graph && location ? importOf(location.file, graph) : undefined
    const name = (place && packageName(place.specifier)) ?? inner
    const found = packages.get(name) ?? { modules: new Set(), hasAddon: false, place }
    packages.set(name, found)
    if (isAddon) found.hasAddon = true
    else found.modules.add(module.replace(/^node:/, ''))
    return false
  })
  return { problems: [...packages].map(([name, missing]) => problem(name, missing, id)), rest }
}

function problem(name: string, { modules, hasAddon, place }: Missing, id: string): string {
  const words = `${remedyWords(name) ?? needs(name, [...modules].sort(), hasAddon, id)}.`
  return place ? placed(place, words) : words
}

function needs(name: string, modules: readonly string[], hasAddon: boolean, id: string): string {
  if (hasAddon) {
    return `the package "${name}" contains native code, which a component cannot run. Use a package in JavaScript, or a service`
  }
  const others = modules.filter((module) => !hasNodeCompat(module))
  const key = `Set node_compat = true in [component.${id}.tool.ftl] of spin.toml`
  const fails =
    others.length === 0
      ? ''
      : `; what the package does with ${others.join(', ')} still fails then, when it is called`
  return `the package "${name}" needs modules of Node: ${modules.join(', ')}. ${key}${fails}`
}

/** Follows the imports backwards to the file of the author's that leads to `file`. */
function importOf(
  file: string,
  graph: NonNullable<Graph>,
): { file: string; specifier: string } | undefined {
  const seen = new Set([file])
  for (const next of seen) {
    for (const [importer, { imports }] of Object.entries(graph)) {
      const found = imports.find(({ path }) => path === next)
      if (!found || seen.has(importer)) continue
      if (packageOf(importer) === undefined && packageOf(next) !== undefined) {
        return { file: importer, specifier: found.original ?? next }
      }
      seen.add(importer)
    }
  }
  return undefined
}

function placed({ file, specifier }: { file: string; specifier: string }, words: string): string {
  let lines: string[] = []
  try {
    lines = readFileSync(file, 'utf8').split('\n')
  } catch {
    // A module that the builder makes.
  }
  const columnIn = (line: string) =>
    Math.max(...['"', "'", '`'].map((quote) => line.indexOf(quote + specifier + quote))) + 1
  const at = lines.findIndex((line) => columnIn(line) > 0)
  const lineText = lines[at]
  if (lineText === undefined) return words
  const column = columnIn(lineText)
  return excerpt(
    { file, line: at + 1, column: column + 1, length: specifier.length, lineText },
    words,
  )
}

/** `@scope/name/part` is of the package `@scope/name`; a path is of none. */
function packageName(specifier: string): string | undefined {
  return /^(@[^/]+\/)?[^./][^/]*/.exec(specifier)?.[0]
}
