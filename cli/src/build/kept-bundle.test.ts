import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keptBundle } from './kept-bundle.ts'

let folder: string
let made = 0

const path = (name: string) => join(folder, name)
const put = (name: string, text: string) => {
  mkdirSync(dirname(path(name)), { recursive: true })
  writeFileSync(path(name), text)
}
const inputs = () => ['app/src/main.ts', 'app/node_modules/library/index.js'].map(path)
const bundle = (builder = 'builder', list = inputs()) =>
  keptBundle(path('cache/bundle.json'), builder, async () => ({
    code: `bundle ${++made}`,
    inputs: list,
  }))

beforeEach(() => {
  made = 0
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ftl-kept-')))
  put('app/src/main.ts', 'one')
  put('app/package.json', '{}')
  put('app/node_modules/library/index.js', 'two')
  // After the files, which have just been written.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

it('a bundle is made once, also if its files get new times, as in the image of a container', async () => {
  expect((await bundle()).code).toBe('bundle 1')
  utimesSync(path('app/src/main.ts'), 1, 1)
  put('app/src/main.ts', 'one')
  put('app/node_modules/.cache/other', 'not part of it')
  expect(await bundle()).toMatchObject({ code: 'bundle 1', inputs: inputs() })
})

describe('a bundle is made again after', () => {
  it.each<[string, () => void]>([
    ['a change of a file', () => put('app/src/main.ts', 'six')],
    ['a file that an import could lead to first', () => put('app/src/main.js', '')],
    ['a change of the settings', () => put('app/package.json', '{"type":"module"}')],
    ['another copy of a library', () => put('app/src/node_modules/library/index.js', '')],
    ['a new package', () => put('app/node_modules/other/index.js', '')],
    ['a file that is gone', () => rmSync(path('app/src/main.ts'))],
    ['a broken file of the cache', () => put('cache/bundle.json', '{')],
  ])('%s', async (_, change) => {
    await bundle()
    change()
    expect((await bundle()).code).toBe('bundle 2')
  })

  it('another builder', async () => {
    await bundle()
    expect((await bundle('other')).code).toBe('bundle 2')
  })
})

it('a bundle is not kept if one of its files may have changed meanwhile', async () => {
  vi.useRealTimers()
  await bundle()
  expect((await bundle()).code).toBe('bundle 2')
})

it('a folder that cannot be written is no error', async () => {
  put('cache', 'a file')
  await bundle()
  expect((await bundle()).code).toBe('bundle 2')
})
