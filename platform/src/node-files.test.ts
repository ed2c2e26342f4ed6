import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { folderFiles, folderStore } from './node-files.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-node-files-'))
  await mkdir(join(folder, 'files/config'), { recursive: true })
  await writeFile(join(folder, 'files/config/a.json'), '1')
  await writeFile(join(folder, 'outside.txt'), 'zzq')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('reads files of its folder, and none outside', async () => {
  const files = folderFiles(join(folder, 'files'))
  expect(await files.list('/config')).toEqual(['a.json'])
  expect(new TextDecoder().decode(await files.read('/config/a.json'))).toBe('1')
  for (const path of ['/../outside.txt', '/config/../../outside.txt', '/none']) {
    expect(await files.read(path)).toBeUndefined()
  }
})

it('keeps entries apart, whatever their keys are', async () => {
  const store = folderStore(join(folder, 'state'), 'default')
  const keys = ['a', 'A', '..', 'x:y', 'k'.repeat(255)]
  for (const key of keys) await store.set(key, key)
  expect((await store.keys()).sort()).toEqual([...keys].sort())
  for (const key of keys) expect(new TextDecoder().decode(await store.get(key))).toBe(key)
  await store.delete('a')
  expect([await store.exists('a'), await store.exists('A')]).toEqual([false, true])
  expect(await folderStore(join(folder, 'state'), 'other').keys()).toEqual([])
})

it('writes on a condition', async () => {
  const store = folderStore(join(folder, 'state'), 'conditions')
  expect(await store.setIf?.('n', undefined, '1')).toBe(true)
  expect(await store.setIf?.('n', undefined, '2')).toBe(false)
  expect(await store.setIf?.('n', new TextEncoder().encode('1'), '2')).toBe(true)
  expect(new TextDecoder().decode(await store.get('n'))).toBe('2')
})
