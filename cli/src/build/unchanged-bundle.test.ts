import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type KnownBundle, recallBundle, rememberBundle } from './unchanged-bundle.ts'

let folder: string
let stamp: string
let known: KnownBundle

const path = (name: string) => join(folder, name)
const put = (name: string, text = '') => {
  mkdirSync(dirname(path(name)), { recursive: true })
  writeFileSync(path(name), text)
}
/** After the files of the test, which have just been written. */
const later = () => Date.now() + 60_000

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ftl-unchanged-')))
  stamp = path('cache/stamp.json')
  put('app/src/main.ts', 'one')
  put('app/src/deep/index.ts', 'two')
  put('app/package.json', '{}')
  put('app/node_modules/@scope/library/index.js', 'three')
  mkdirSync(path('cache'))
  known = {
    key: 'k',
    inputs: [
      'app/src/main.ts',
      'app/src/deep/index.ts',
      'app/node_modules/@scope/library/index.js',
    ].map(path),
    pageInputs: [path('app/src/page.css')],
    ours: ['/ours'],
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const recall = (builder = 'builder') => recallBundle(stamp, builder)

it('a bundle is known until something changes', async () => {
  expect(await recall()).toBeUndefined()
  await rememberBundle(stamp, 'builder', known, later())
  expect(await recall()).toMatchObject(known)
  put('other/notes.md', 'not part of it')
  expect(await recall()).toMatchObject(known)
})

describe('a bundle is not known any more', () => {
  it.each<[string, () => void]>([
    ['a file of it changes', () => put('app/src/main.ts', 'other')],
    ['a file of it is removed', () => rmSync(path('app/src/deep/index.ts'))],
    ['a file of it was missing', () => put('app/src/page.css', 'a {}')],
    ['a new file comes before a folder', () => put('app/src/deep.ts', 'four')],
    ['a package.json is written', () => put('app/src/deep/package.json', '{}')],
    ['a package.json changes', () => put('app/package.json', '{"type":"module"}')],
    ['a tsconfig.json is written', () => put('app/tsconfig.json', '{}')],
    ['a package is installed', () => put('app/node_modules/new/package.json', '{}')],
    ['a scoped package is installed', () => put('app/node_modules/@scope/new/package.json', '{}')],
    ['a nearer node_modules is installed', () => put('app/src/node_modules/x/package.json', '{}')],
    ['the stamp is damaged', () => writeFileSync(stamp, '{')],
  ])('after %s', async (_, change) => {
    await rememberBundle(stamp, 'builder', known, later())
    change()
    expect(await recall()).toBeUndefined()
  })

  it('after a file was replaced by one of the same size and time', async () => {
    await rememberBundle(stamp, 'builder', known, later())
    const file = path('app/src/main.ts')
    const { atime, mtime } = statSync(file)
    put('app/src/main.ts', 'eno')
    utimesSync(file, atime, mtime)
    expect(await recall()).toBeUndefined()
  })

  it('by another builder', async () => {
    await rememberBundle(stamp, 'builder', known, later())
    expect(await recall('another')).toBeUndefined()
  })
})

describe('nothing is remembered', () => {
  it('of a file that changed while it was bundled or shortly before', async () => {
    await rememberBundle(stamp, 'builder', known, Date.now())
    expect(() => readFileSync(stamp)).toThrow('ENOENT')
  })

  it.each(['extends', 'paths', 'baseUrl', 'rootDirs'])(
    'with "%s" in tsconfig.json',
    async (name) => {
      put('app/tsconfig.json', `{ "compilerOptions": { "${name}": {} } }`)
      await rememberBundle(stamp, 'builder', known, later())
      expect(await recall()).toBeUndefined()
    },
  )
})
