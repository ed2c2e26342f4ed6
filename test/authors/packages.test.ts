// What a build and a call say of packages that cannot work in a component: the package, the reason and a remedy. The
// packages are small ones with the names and the habits of real ones.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildEach, type BuildTarget } from '../../cli/src/build/index.ts'
import { stackLines } from '../../cli/src/output/stack-lines.ts'
import { readMap } from './read-map.ts'

const PACKAGES: Record<string, Record<string, string>> = {
  pg: {
    'index.js': "const net = require('net'), tls = require('tls')\nexports.Client = net.Socket",
  },
  sharp: { 'index.js': "exports.sharp = require('./build/sharp.node')", 'build/sharp.node': '' },
  unknown: { 'index.js': "exports.native = require('./a.node')", 'a.node': '' },
  words: { 'index.js': "exports.words = require('driver')" },
  driver: {
    'index.js': "exports.x = require('node:crypto'); exports.y = require('util'); require('net')",
  },
  hasher: {
    'index.js':
      "exports.hash = () => require('crypto').createHash('sha256').update('a').digest('hex')",
  },
  turndown: { 'index.js': 'module.exports = class { turndown() { return document.title } }' },
  '@mixmark-io/domino': { 'index.js': 'exports.createDocument = () => 1' },
  browserish: {
    'package.json': '{"name":"browserish","main":"index.js","browser":{"crypto":false,"fs":false}}',
    'index.js':
      "const crypto = require('crypto'), fs = require('fs')\nexports.id = () => crypto.createHash('md5').update('a').digest('hex')\nexports.read = () => fs.readFileSync('/x')",
  },
}

const serve = (text: string) =>
  `${text}\nexport default { fetch: () => new Response(String(use())) }\n`
const SOURCES: Record<string, [source: string, settings?: Partial<BuildTarget>]> = {
  pg: [serve("import { Client } from 'pg'\nconst use = () => Client")],
  sharp: [serve("// pictures\nimport { sharp } from 'sharp'\nconst use = () => sharp")],
  unknown: [serve("import { native } from 'unknown'\nconst use = () => native")],
  inner: [serve("import { words } from 'words'\nconst use = () => words")],
  hasher: [serve("import { hash } from 'hasher'\nconst use = hash")],
  'hasher-compat': [serve("import { hash } from 'hasher'\nconst use = hash"), { nodeCompat: true }],
  turndown: [serve("import T from 'turndown'\nconst use = () => new T().turndown('')")],
  mended: [
    serve(
      "import T from 'turndown'\nimport { createDocument } from '@mixmark-io/domino'\nconst use = () => new T().turndown(createDocument())",
    ),
  ],
  disabled: [serve("import { id } from 'browserish'\nconst first = id()\nconst use = () => first")],
  'disabled-later': [serve("import { id } from 'browserish'\nconst use = id")],
  'disabled-compat': [
    serve("import { id } from 'browserish'\nconst first = id()\nconst use = () => first"),
    { nodeCompat: true },
  ],
  subpath: [serve("import dns from 'node:dns/promises'\nconst use = () => dns")],
}

let folder: string
const failures = new Map<string, string>()
const warnings = new Map<string, string[]>()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-packages-'))
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  for (const [name, files] of Object.entries(PACKAGES)) {
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }))
    for (const [file, text] of Object.entries(files))
      await write(`node_modules/${name}/${file}`, text)
  }
  const targets = Object.entries(SOURCES).map(([id, [, settings]]) => ({
    id,
    entry: join(folder, `${id}.ts`),
    output: join(folder, `${id}.wasm`),
    ...settings,
  }))
  for (const [id, [source]] of Object.entries(SOURCES)) await write(`${id}.ts`, source)
  const { failed } = await buildEach(targets, {
    cacheFolder: join(folder, 'cache'),
    onEvent: ({ id, warning }) => {
      if (warning !== undefined) warnings.set(id, [...(warnings.get(id) ?? []), warning])
    },
  })
  for (const { component, problems } of failed) failures.set(component, problems.join('\n'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a build names the package that the author imports, its line, the reason and a remedy:', () => {
  it.each<[title: string, id: string, place: RegExp, ...words: string[]]>([
    [
      '[author:package-driver]',
      'pg',
      /pg\.ts:1:25/,
      'the package "pg" opens sockets. Use a database that has an HTTP API',
    ],
    ['sharp', 'sharp', /sharp\.ts:2:24/, 'the package "sharp" contains native code. Use a service'],
    [
      '[author:package-native]',
      'unknown',
      /unknown\.ts:1:25/,
      '"unknown" contains native code, which a component cannot run',
    ],
    [
      'inner',
      'inner',
      /inner\.ts:1:24/,
      'the package "words" needs modules of Node: crypto, net, util. Set node_compat = true in [component.inner.tool.ftl]',
      'what the package does with net still fails',
    ],
    [
      '[author:package-modules]',
      'hasher',
      /hasher\.ts:1:23/,
      'the package "hasher" needs modules of Node: crypto. Set node_compat = true in [component.hasher.tool.ftl] of spin.toml.',
    ],
  ])('%s', (_, id, place, ...words) => {
    const failure = failures.get(id) ?? ''
    expect(failure).toMatch(place)
    for (const each of words) expect(failure).toContain(each)
    expect(failure.match(/\^+/g)).toHaveLength(1)
  })

  it('a submodule of a Node module is not reported as a package', () => {
    expect(failures.get('subpath')).toContain('use context.fetch')
    expect(failures.get('subpath')).not.toContain('npm install')
  })
})

it('with node_compat, such a package is built', () => {
  expect(failures.has('hasher-compat')).toBe(false)
  expect(warnings.has('hasher-compat')).toBe(false)
})

it('[author:package-dom] a package that only a call would find out about is a warning, unless what it needs is there', () => {
  expect(warnings.get('turndown')).toEqual([
    expect.stringContaining('the package "turndown" needs the DOM'),
  ])
  expect(warnings.get('turndown')?.[0]).toContain('@mixmark-io/domino')
  expect(warnings.has('mended')).toBe(false)
})

describe('a module that a package leaves out for browsers', () => {
  const HINT =
    'The package "browserish" leaves crypto, fs of Node out of its build for browsers. Set node_compat = true'

  it('is named when the build fails', () => {
    const failure = failures.get('disabled') ?? ''
    expect(failure).toMatch(/disabled\.ts:2:\d+/)
    expect(failure).toContain(HINT)
    expect(failure).not.toContain('(disabled)')
  })

  it('is there with node_compat, if a component can have it', () => {
    expect(failures.has('disabled-compat')).toBe(false)
  })

  it('[author:package-left-out] is named in the log of a call', async () => {
    const output = join(folder, 'disabled-later.wasm')
    const lines = stackLines(() => output)
    const place = await readMap(output, 'browserish/index.js')
    lines('disabled-later', 'TypeError: not a function')
    const frame = lines('disabled-later', `    at id (bundle.js:${place})`)
    expect(frame).toContain(HINT)
    expect(frame).toContain('out of its build for browsers')
    expect(frame).not.toContain('(disabled)')
    // Only where an error is, and once.
    expect(lines('disabled-later', `    at id (bundle.js:${place})`)).not.toContain('leaves')
  })
})
