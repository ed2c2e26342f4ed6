/**
 * Decides which parts of the SDK a component needs, by searching its modules for words.
 *
 * Code that uses a part must name it: `kv`, `progress`, `job`. If no module of the author or of a library contains the
 * word, the part cannot be used, and the SDK is bundled with a stub for it (see `imports` in its package.json). A word
 * that means something else only adds some kilobytes, and a stub that is called after all reports what is missing.
 */
import { readFile } from 'node:fs/promises'
import { sep } from 'node:path'

/** A part's condition in `imports`, and the words of which code must contain one to use it. */
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

/** Schema libraries: they never get a context, so their words do not count. */
const SCHEMAS = /[\\/]node_modules[\\/](valibot|arktype|@ark)[\\/]/
const ZOD = /[\\/]node_modules[\\/]zod[^\\/]*[\\/]/
/** Zod 3 and Zod mini need the SDK's JSON Schema converter; so does a Zod 4 without the file of `SAYING_ZOD`. */
const SILENT_ZOD = /[\\/](lib|v3|mini)[\\/]/
const SAYING_ZOD = /[\\/]json-schema-processors\.\w+$/

export interface Parts {
  /** Import conditions for the bundler, one for each part that is left out. */
  conditions: string[]
  /** Host interfaces it needs besides the network: none, stores and variables, or these and mounted files. */
  host: 'none' | 'stores' | 'files'
  /** Whether a module could call at module scope what only a host provides: see module-scope.ts. */
  chance: boolean
}

/** Leaves out every optional part: the first bundle of each component is made with this. */
export const NO_PARTS: Parts = {
  conditions: [...PARTS.map(([condition]) => condition), WITHOUT_LIBRARY, WITHOUT_ZOD],
  host: 'none',
  chance: false,
}

/**
 * @param inputs absolute paths of every module in the bundle.
 * @param ours folders of our own modules, the SDK's first, which contain all the words and are therefore skipped.
 */
export async function partsFor(inputs: readonly string[], ours: readonly string[]): Promise<Parts> {
  const theirs = inputs.filter((path) => !ours.some((folder) => path.startsWith(folder + sep)))
  const zod = theirs.filter((path) => ZOD.test(path))
  const asking = theirs.filter((path) => !ZOD.test(path) && !SCHEMAS.test(path))
  const text = (await Promise.all(asking.map((path) => readFile(path, 'utf8')))).join('\n')
  // Without the SDK there are no tools, so no part of it can be used.
  const [sdk = ''] = ours
  const tools = inputs.some((path) => isIndex(path, sdk))
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
