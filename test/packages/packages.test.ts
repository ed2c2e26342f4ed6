// What is in the tarballs a user installs. They are ES modules only, which is the profile attw judges by: CommonJS may
// `require` them from Node 20.19 on, and TypeScript's `node10` resolution knows no `exports` at all.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PackedManifest } from '../../scripts/packages/manifest.ts'
import { packageSources } from '../../scripts/packages/sources.ts'
import { judgeFile } from '../judges/judge.ts'
import { REPOSITORY } from '../support/command.ts'
import { packedPackages } from '../support/packed.ts'
import { typeErrors } from './consumer.ts'
import { type Unpacked, unpack } from './unpack.ts'

const run = promisify(execFile)
const FOLDERS = packageSources().map(({ folder }) => folder)
/** Compilers are slow on a busy machine. */
const MINUTES = 5 * 60_000

const ATTW = judgeFile('@arethetypeswrong/cli/dist/index.js')

let folder: string
let packedIn: string
let packed: Map<string, Unpacked>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-packages-'))
  const all = await packedPackages()
  packedIn = all.folder
  const unpacked = await Promise.all(
    all.packed.map((each) => unpack(each, join(folder, 'unpacked'))),
  )
  packed = new Map(unpacked.map((each, index) => [FOLDERS[index] ?? '', each]))
}, MINUTES)
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function manifestOf(each: Unpacked): Promise<PackedManifest> {
  return JSON.parse(await readFile(join(each.folder, 'package.json'), 'utf8')) as PackedManifest
}

function get(name: string): Unpacked {
  const found = packed.get(name)
  if (!found) throw new Error(`${name} was not packed`)
  return found
}

describe.each(FOLDERS)('the package of %s', { timeout: MINUTES }, (name) => {
  it('has nothing publint finds fault with', async () => {
    const each = get(name)
    const { messages, pkg } = await publint({ pkgDir: each.folder, strict: true, pack: false })
    // Where the sources will be is not decided; the registry does not ask for it.
    const left = messages.filter(({ code }) => !/REPO/.test(code))
    expect(left.map((message) => formatMessage(message, pkg ?? {}))).toEqual([])
  })

  it('has types that are right for every way to import it', async () => {
    const each = get(name)
    if (!(await manifestOf(each)).exports) return
    // It ends with 1 when something is wrong, and says what.
    const args = [ATTW, each.tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji']
    const problems = await run(process.execPath, args).then(
      () => '',
      (error: unknown) => (error as { stdout: string }).stdout,
    )
    expect(problems).toBe('')
  })

  it('holds what it needs, and no tests and no sources', async () => {
    const { files } = get(name)
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
    // Templates are sources, because users make applications of them.
    const ours = files.filter((file) => !file.startsWith('templates/'))
    expect(ours.filter((file) => /\.test\.|(?<!\.d)\.ts$|\.tsbuildinfo$/.test(file))).toEqual([])
  })

  it('names no path of the machine it was made on', async () => {
    const each = get(name)
    for (const file of each.files) {
      if (file.endsWith('.wasm')) continue
      const text = await readFile(join(each.folder, file), 'utf8')
      expect(
        [REPOSITORY, packedIn].filter((path) => text.includes(path)),
        file,
      ).toEqual([])
    }
  })

  it('can be installed outside the repository', async () => {
    const each = get(name)
    const { dependencies = {}, version, ...manifest } = await manifestOf(each)
    expect(manifest).not.toHaveProperty('private')
    expect(manifest.keywords?.length).toBeGreaterThan(2)
    expect(manifest).not.toHaveProperty('devDependencies')
    expect(manifest).not.toHaveProperty('scripts')
    for (const [dependency, range] of Object.entries(dependencies)) {
      if (/^ftl(-|$)/.test(dependency)) expect(range).toBe(`^${version}`)
      else expect(range, dependency).toMatch(/^\^?\d+\.\d+\.\d+(-rc\.\d+)?$/)
    }
  })
})

describe('ftl-sdk', () => {
  it('depends on nothing but the contract, which depends on nothing', async () => {
    const { dependencies } = await manifestOf(get('sdk'))
    expect(Object.keys(dependencies ?? {})).toEqual(['ftl-contract'])
    expect(await manifestOf(get('contract'))).not.toHaveProperty('dependencies')
  })
})

describe('ftl', () => {
  it('brings the engine along, instead of the packages that bring everything', async () => {
    const { dependencies = {} } = await manifestOf(get('cli'))
    for (const heavy of ['@bytecodealliance/jco', '@fermyon/spin-sdk', 'miniflare', 'ftl-bridge']) {
      expect(dependencies).not.toHaveProperty([heavy])
    }
    expect(get('cli').files).toEqual(
      expect.arrayContaining([
        'docs/errors.md',
        'engine/NOTICE.md',
        'engine/quickjs/NOTICE.md',
        'engine/quickjs/engine.wasm',
        'engine/preview1-reactor.wasm',
        'engine/wit/world.wit',
        'rust/Cargo.toml',
        'rust/ftl-component/src/lib.rs',
        'rust/ftl-component-macros/src/lib.rs',
      ]),
    )
    // About 20 MB, of which the engine is half; jco and what it brings would be 385.
    expect(get('cli').unpackedBytes).toBeLessThan(24e6)
  })
})

describe.each(['nodenext', 'bundler'] as const)(
  'a strict program with %s resolution',
  { timeout: MINUTES },
  (how) => {
    it('compiles against the declarations of every package', async () => {
      expect(await typeErrors(join(folder, `consumer-${how}`), [...packed.values()], how)).toEqual(
        [],
      )
    })
  },
)
