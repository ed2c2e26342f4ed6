/** The test files of a copy of web-platform-tests, and the scripts each of them is made of. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'

/** What a test file says about itself: `// META: script=…`. */
const META = /^\/\/ META: script=(\S+)/gm
/** What the engine has not, by the path or the text of a file. */
const NEEDS = [
  // Millions of iterations, thousands of times.
  { what: 'minutes of computing', path: /pbkdf2/ },
  { what: 'HTTP/2', path: /\.h2\./ },
  { what: 'the cache of a browser', path: /\/request-cache-/ },
  { what: 'a document', path: /keepalive|referrer|navigate|mode-(no-cors|same-origin)/ },
  {
    what: 'a document',
    path: /\.window\.js$/,
    text: /\bdocument\b|\bwindow\.|\bXMLHttpRequest\b|createElement/,
  },
  { what: 'a ShadowRealm', text: /idlharness-shadowrealm\.js/ },
  { what: 'a worker', text: /META: global=(?!.*window)/ },
] as const
const ANY = /(?:)/

/** The server of web-platform-tests serves this file elsewhere. */
const MOVED: Readonly<Record<string, string>> = {
  'resources/WebIDLParser.js': 'resources/webidl2/lib/webidl2.js',
}

export interface TestFile {
  /** Relative to the copy, with slashes. */
  path: string
  folder: string
  text: string
  /** Why it cannot run here. */
  needs?: string
}

/** @throws {Error} if the folder is not a copy of web-platform-tests. */
export async function findTests(root: string, folders: readonly string[]): Promise<TestFile[]> {
  if (!existsSync(join(root, 'resources/testharness.js'))) {
    throw new Error(`${root} must contain resources/testharness.js of web-platform-tests`)
  }
  const found: TestFile[] = []
  for (const folder of folders) {
    const entries = await readdir(join(root, folder)).catch(() => [])
    for (const name of entries.sort()) {
      if (!/\.(any|window)\.js$/.test(name)) continue
      const text = await readFile(join(root, folder, name), 'utf8')
      const path = `${folder}/${name}`
      const needs = NEEDS.find(
        (need) =>
          ('path' in need ? need.path : ANY).test(path) &&
          ('text' in need ? need.text : ANY).test(text),
      )?.what
      found.push({ path, folder, text, ...(needs === undefined ? {} : { needs }) })
    }
  }
  return found
}

/** The included scripts and the test as one, so that they share their `const` and `let`. */
export async function scriptOf(
  { root, origin }: { root: string; origin: string },
  { path, text }: TestFile,
): Promise<string> {
  const parts: string[] = []
  for (const [, script = ''] of text.matchAll(META)) {
    const included = script.startsWith('/') ? script.slice(1) : posix.join(dirname(path), script)
    parts.push(await readFile(join(root, MOVED[included] ?? included), 'utf8'))
  }
  parts.push(text)
  const { port } = new URL(origin)
  const isStrict = (part: string) => /^(\s|\/\/.*|\/\*[^]*?\*\/)*['"]use strict['"]/.test(part)
  const script = (parts.every(isStrict) ? "'use strict';\n" : '') + parts.join('\n;\n')
  return script.replace(/\{\{(host|domains|ports)\b[^}]*\}\}/g, (_, kind: string) => {
    return kind === 'ports' ? port : '127.0.0.1'
  })
}
