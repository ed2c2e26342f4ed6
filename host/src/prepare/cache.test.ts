import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { distrust, store } from './cache.ts'

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
