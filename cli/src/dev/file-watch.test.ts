import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FileWatch } from './file-watch.ts'

let folder: string
let watch: FileWatch
let changed: Set<string>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-watch-'))
  changed = new Set()
  watch = new FileWatch((paths) => paths.forEach((path) => changed.add(path)))
})
afterEach(() => {
  watch.close()
  rmSync(folder, { recursive: true, force: true })
})

const reports = (path: string) => expect.poll(() => [...changed]).toContain(path)

test('a file is reported when it is changed, and when it is replaced', async () => {
  const file = join(folder, 'main.ts')
  writeFileSync(file, 'one')
  watch.set([file], [])
  writeFileSync(file, 'two')
  await reports(file)
  rmSync(file)
  writeFileSync(file, 'three')
  changed.clear()
  writeFileSync(file, 'four')
  await reports(file)
})

test('a file in a new folder of a tree is reported', async () => {
  watch.set([], [folder])
  const inner = join(folder, 'inner')
  mkdirSync(inner)
  await reports(inner)
  const file = join(inner, 'new.ts')
  writeFileSync(file, '')
  await reports(file)
})

test('a folder that is removed and created again is still watched', async () => {
  const inner = join(folder, 'src')
  mkdirSync(inner)
  watch.set([join(inner, 'main.ts')], [folder])
  rmSync(inner, { recursive: true })
  mkdirSync(inner)
  await reports(inner)
  changed.clear()
  const file = join(inner, 'main.ts')
  writeFileSync(file, 'again')
  await reports(file)
})

test('a change is reported while another file changes all the time', async () => {
  watch.set([], [folder])
  const noise = setInterval(() => writeFileSync(join(folder, 'noise.log'), String(Date.now())), 2)
  try {
    const file = join(folder, 'main.ts')
    writeFileSync(file, 'one')
    await reports(file)
  } finally {
    clearInterval(noise)
  }
})

test('nothing is watched after it was closed', async () => {
  const file = join(folder, 'main.ts')
  writeFileSync(file, 'one')
  watch.close()
  const before = watchers()
  watch.set([file], [folder])
  expect(watchers()).toBe(before)
})

/** Of the process: each one keeps it alive. */
function watchers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length
}
