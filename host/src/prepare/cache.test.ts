import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { distrust, load, store } from './cache.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-cache-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a folder that every user can write is not trusted', async () => {
  expect(distrust(folder)).toBeUndefined()
  await chmod(folder, 0o775)
  expect(distrust(folder)).toBeUndefined()
  for (const mode of [0o777, 0o1777]) {
    await chmod(folder, mode)
    expect(distrust(folder)).toContain('every user')
  }
})

test('a folder of another user is not trusted, except by root', async () => {
  const { uid } = await stat(folder)
  const other = distrust(folder, uid + 1)
  // A folder that belongs to root is trusted by every user.
  if (uid === 0) expect(other).toBeUndefined()
  else expect(other).toContain('another user')
  expect(distrust(folder, 0)).toBeUndefined()
})

test('a folder that is not there is trusted, and made so that others cannot write there', async () => {
  const made = join(folder, 'new')
  expect(distrust(made)).toBeUndefined()
  await store(join(made, 'host-1-x.wasm'), made, Buffer.from('x'))
  expect(await readdir(made)).toEqual(['host-1-x.wasm'])
  expect((await stat(made)).mode & 0o022).toBe(0)
})

test('entries that were not finished are removed after ten minutes', async () => {
  const [left, recent] = ['host-1-a.wasm.123', 'host-1-b.valid.456']
  for (const name of [left, recent]) await writeFile(join(folder, name), 'x')
  const anHourAgo = Date.now() / 1000 - 3600
  await utimes(join(folder, left), anHourAgo, anHourAgo)
  await store(join(folder, 'host-1-c.wasm'), folder, Buffer.from('c'))
  expect((await readdir(folder)).sort()).toEqual([recent, 'host-1-c.wasm'])
})

test('an entry is stored, and its use recorded, under the permission model, too', async () => {
  const script = `import { load, store } from ${JSON.stringify(new URL('./cache.ts', import.meta.url).href)}
    import { statSync, utimesSync } from 'node:fs'
    const [folder] = process.argv.slice(1)
    const path = folder + '/host-1-x.wasm'
    await store(path, folder, Buffer.from('x'))
    utimesSync(path, 1000, 1000)
    await load(path)
    if (statSync(path).mtimeMs < 2e6) throw new Error('its use was not recorded')`
  const args = ['--permission', '--allow-fs-read=*', `--allow-fs-write=${folder}/host-*`]
  const run = promisify(execFile)
  await run(process.execPath, [...args, '--input-type=module', '-e', script, folder])
  expect(await readdir(folder)).toEqual(['host-1-x.wasm'])
})

test('the oldest entries are removed when the newest take more than 640 MiB; empty ones take nothing', async () => {
  const hour = (nth: number) => Date.now() / 1000 - 3600 * nth
  for (let nth = 1; nth <= 100; nth++) {
    const path = join(folder, `host-1-${nth}.valid`)
    await writeFile(path, '')
    await utimes(path, hour(nth), hour(nth))
  }
  // Sparse files: they have a size and take no space.
  for (let nth = 1; nth <= 8; nth++) {
    const path = join(folder, `host-1-${nth}.wasm`)
    await writeFile(path, '')
    await truncate(path, 100 * 1024 ** 2)
    await utimes(path, hour(nth), hour(nth))
  }
  await store(join(folder, 'host-1-new.wasm'), folder, Buffer.from('new'))
  const kept = await readdir(folder)
  const modules = kept.filter((name) => name.endsWith('.wasm')).sort()
  expect(modules).toEqual([
    ...[1, 2, 3, 4, 5, 6].map((nth) => `host-1-${nth}.wasm`),
    'host-1-new.wasm',
  ])
})

test('an entry that was used lately outlives entries that were written after it', async () => {
  const paths = Array.from({ length: 1030 }, (_, nth) => join(folder, `host-1-${nth}.valid`))
  for (const [nth, path] of paths.entries()) {
    await writeFile(path, '')
    const hour = Date.now() / 1000 - 3600 * (nth + 1)
    await utimes(path, hour, hour)
  }
  const oldest = paths.at(-1) ?? ''
  expect(await load(oldest)).toEqual(Buffer.alloc(0))
  expect(await load(join(folder, 'host-1-unknown.valid'))).toBeUndefined()
  await store(join(folder, 'host-1-new.wasm'), folder, Buffer.from('new'))
  const kept = await readdir(folder)
  expect(kept).toContain('host-1-1029.valid')
  expect(kept).not.toContain('host-1-1028.valid')
})
