/**
 * Which parts of the SDK a component needs, by the words in its modules.
 *
 * A context offers everything, and whoever uses it names what is used: `kv`, `progress`, `job`. So where no module of the
 * author's, or of a library, has the word, nobody can ask for the part, and the SDK is bundled with a stand-in for it (the
 * `imports` in its package.json). A word that means something else costs some kilobytes and nothing more; and a stand-in
 * that is asked after all says what is missing.
 *
 * @module
 */
import { readFile } from 'node:fs/promises'
import { sep } from 'node:path'

/** A part's condition in `imports`, and the words without which nobody can ask for it. */
const PARTS: readonly [condition: string, words: RegExp][] = [
  ['ftl-without-header-params', /x-mcp-header|createDynamicTools/],
  ['ftl-without-jobs', /\bjobs?\b|\boutput\b/],
  ['ftl-without-news', /\b(progress|log|yield|stream|asyncIterator)\b/],
  ['ftl-without-services', /\b(kv|fetch|variables|callTool|trace|clientCapabilities)\b/],
]
const FILES = /\bfiles\b/
const HOST = /\b(platform|openKeyValue|kv|variables|jobs?|output)\b/
const CHANCE = /\b(random|randomUUID|getRandomValues|performance)\b/
const LIBRARY = /~standard|withJsonSchema/
const WITHOUT_ZOD = 'ftl-without-zod'
const WITHOUT_LIBRARY = 'ftl-without-library'

/** Schema libraries: what is in them is called by nobody who has a context. */
const SCHEMAS = /[\\/]node_modules[\\/](valibot|arktype|@ark)[\\/]/
const ZOD = /[\\/]node_modules[\\/]zod[^\\/]*[\\/]/
/** Zod 3 and Zod mini, whose JSON Schema the SDK makes; so it does for Zod 4 that lacks the second file. */
const SILENT_ZOD = /[\\/](lib|v3|mini)[\\/]/
const SAYING_ZOD = /[\\/]json-schema-processors\.\w+$/

export interface Parts {
  /** For the bundler: the parts left out. */
  conditions: string[]
  /** What the component may ask the host for besides the network: nothing, stores and variables, mounted files too. */
  host: 'none' | 'stores' | 'files'
  /** Whether any module could ask at module scope for what only a host has: see module-scope.ts. */
  chance: boolean
}

/** Nothing but what every component needs: what a component is tried with first. */
export const NO_PARTS: Parts = {
  conditions: [...PARTS.map(([condition]) => condition), WITHOUT_LIBRARY, WITHOUT_ZOD],
  host: 'none',
  chance: false,
}

/**
 * @param inputs absolute paths of every module in the bundle.
 * @param ours folders of our own modules, which have all the words and are not looked at.
 */
export async function partsFor(inputs: readonly string[], ours: readonly string[]): Promise<Parts> {
  const theirs = inputs.filter((path) => !ours.some((folder) => path.startsWith(folder + sep)))
  const zod = theirs.filter((path) => ZOD.test(path))
  const asking = theirs.filter((path) => !ZOD.test(path) && !SCHEMAS.test(path))
  const text = (await Promise.all(asking.map((path) => readFile(path, 'utf8')))).join('\n')
  // Without the SDK there are no tools, and so nobody who could ask.
  const tools = ours.some((folder) => inputs.some((path) => isIndex(path, folder)))
  const host = FILES.test(text) ? 'files' : HOST.test(text) ? 'stores' : 'none'
  const chance = CHANCE.test(text)
  if (!tools) return { ...NO_PARTS, host, chance }
  const left = PARTS.filter(([, words]) => !words.test(text)).map(([condition]) => condition)
  const library = asking.length < theirs.length || LIBRARY.test(text)
  if (!library) left.push(WITHOUT_LIBRARY)
  if (!needsConversion(zod)) left.push(WITHOUT_ZOD)
  return { conditions: left, host, chance }
}

function isIndex(path: string, folder: string): boolean {
  return path.startsWith(folder + sep) && /^index\.\w+$/.test(path.slice(folder.length + 1))
}

function needsConversion(zod: readonly string[]): boolean {
  if (zod.some((path) => SILENT_ZOD.test(path))) return true
  return zod.length > 0 && !zod.some((path) => SAYING_ZOD.test(path))
}
