/** Packages that cannot work in a component, or not in each: why, and what to use instead. */

/** What they need, and a component does not have. */
const NEEDS = {
  addon: 'contains native code',
  dom: 'needs the DOM of a browser',
  files: 'reads and writes files',
  programs: 'starts other programs',
  server: 'is a server',
  sockets: 'opens sockets',
  wasm: 'needs WebAssembly inside the component',
  broken: 'has a build for browsers that exports nothing',
} as const

export type Need = keyof typeof NEEDS

interface Remedy {
  need: Need
  /** What to do, as the rest of a sentence after "Use". */
  instead: string
  /** With this package in the same component it works. */
  unless?: string
}

const DATABASE = 'a database that has an HTTP API, called with context.fetch, or a key-value store'
const SERVER = 'a tool (createTool), or "hono" for requests of your own'
const KEYS = 'a key-value store: context.platform.kv'

const REMEDIES: Readonly<Record<string, Remedy>> = {
  '@prisma/client': { need: 'sockets', instead: DATABASE },
  '@tensorflow/tfjs-node': { need: 'addon', instead: 'a model service, called with context.fetch' },
  archiver: { need: 'files', instead: '"jszip" or "fflate"' },
  argon2: { need: 'addon', instead: 'PBKDF2 of crypto.subtle' },
  bcrypt: { need: 'addon', instead: '"bcryptjs"' },
  'better-sqlite3': { need: 'addon', instead: DATABASE },
  canvas: { need: 'addon', instead: '"pdf-lib" for documents, or a service that draws' },
  chokidar: { need: 'files', instead: 'mounted files: files = […] in spin.toml' },
  'cross-spawn': {
    need: 'programs',
    instead: 'a service that runs them, called with context.fetch',
  },
  dompurify: { need: 'dom', instead: '"sanitize-html"' },
  dotenv: { need: 'files', instead: 'variables of spin.toml: context.variables' },
  execa: { need: 'programs', instead: 'a service that runs them, called with context.fetch' },
  express: { need: 'server', instead: SERVER },
  fastify: { need: 'server', instead: SERVER },
  'fs-extra': { need: 'files', instead: 'mounted files: files = […] in spin.toml' },
  glob: { need: 'files', instead: 'mounted files, and "minimatch" for names' },
  got: { need: 'sockets', instead: '"ky", or context.fetch' },
  'hash-wasm': { need: 'wasm', instead: '"crypto-js", or crypto.subtle.digest' },
  ioredis: { need: 'sockets', instead: KEYS },
  jimp: { need: 'broken', instead: '"fast-png" to read and write PNG' },
  jquery: { need: 'dom', instead: '"cheerio"' },
  jsdom: { need: 'dom', instead: '"cheerio" or "node-html-parser"' },
  kafkajs: { need: 'sockets', instead: 'a service that has an HTTP API' },
  koa: { need: 'server', instead: SERVER },
  mongodb: { need: 'sockets', instead: DATABASE },
  mongoose: { need: 'sockets', instead: DATABASE },
  mssql: { need: 'sockets', instead: DATABASE },
  mysql: { need: 'sockets', instead: DATABASE },
  mysql2: { need: 'sockets', instead: DATABASE },
  'node-fetch': { need: 'sockets', instead: 'context.fetch, or the global fetch' },
  nodemailer: { need: 'sockets', instead: 'a mail service that has an HTTP API' },
  'onnxruntime-node': { need: 'addon', instead: 'a model service, called with context.fetch' },
  pg: { need: 'sockets', instead: DATABASE },
  playwright: { need: 'programs', instead: 'a service that runs the browser' },
  postgres: { need: 'sockets', instead: DATABASE },
  puppeteer: { need: 'programs', instead: 'a service that runs the browser' },
  'puppeteer-core': { need: 'programs', instead: 'a service that runs the browser' },
  redis: { need: 'sockets', instead: KEYS },
  sharp: { need: 'addon', instead: 'a service that changes pictures, or "fast-png" for PNG' },
  shelljs: { need: 'programs', instead: 'a service that runs them, called with context.fetch' },
  'socket.io': { need: 'server', instead: SERVER },
  'sql.js': { need: 'wasm', instead: DATABASE },
  sqlite3: { need: 'addon', instead: DATABASE },
  tiktoken: { need: 'wasm', instead: 'a tokenizer in JavaScript' },
  turndown: {
    need: 'dom',
    instead: 'it with a document of "@mixmark-io/domino": turndown(createDocument(html).body)',
    unless: '@mixmark-io/domino',
  },
  undici: { need: 'sockets', instead: 'context.fetch, or the global fetch' },
  ws: { need: 'sockets', instead: 'context.fetch with a streamed response' },
}

/** The reason and the remedy for a package, as they are in the table of docs/npm-libraries.md. */
export function remedyFor(name: string): (Remedy & { why: string }) | undefined {
  if (!Object.hasOwn(REMEDIES, name)) return undefined
  const remedy = REMEDIES[name]
  return remedy && { ...remedy, why: NEEDS[remedy.need] }
}

/** One sentence of what is wrong and one of what to do; `undefined` for a package that is not known. */
export function remedyWords(name: string): string | undefined {
  const remedy = remedyFor(name)
  return remedy && `the package "${name}" ${remedy.why}. Use ${remedy.instead}`
}

/** These build without an error, so that only a call would fail. */
const SILENT: readonly Need[] = ['dom', 'wasm']

/** @param packages all that a component contains. */
export function remedyWarnings(packages: ReadonlySet<string>): string[] {
  return [...packages].flatMap((name) => {
    const remedy = remedyFor(name)
    const isSilent = remedy !== undefined && SILENT.includes(remedy.need)
    const isMended = remedy?.unless !== undefined && packages.has(remedy.unless)
    const words = isSilent && !isMended ? remedyWords(name) : undefined
    return words === undefined ? [] : [words]
  })
}

const PACKAGE = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/

/** The package that a file belongs to; the inner one of a package inside another one. */
export function packageOf(file: string): string | undefined {
  return PACKAGE.exec(file)?.[1]?.replaceAll('\\', '/')
}
