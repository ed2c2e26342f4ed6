import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withFileLock } from './file-lock.ts'

let folder: string
let lock: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-lock-'))
  lock = join(folder, 'lock')
})
afterEach(() => rm(folder, { recursive: true }))

const MODULE = new URL('file-lock.ts', import.meta.url).href

it('of several processes, one works at a time', async () => {
  const counter = join(folder, 'counter')
  await writeFile(counter, '0')
  const script = `
    import { readFile, writeFile } from 'node:fs/promises'
    const { withFileLock } = await import(${JSON.stringify(MODULE)})
    const [lock, counter] = process.argv.slice(1)
    for (let i = 0; i < 10; i++) {
      await withFileLock(lock, async () => {
        const before = Number(await readFile(counter, 'utf8'))
        await new Promise((resolve) => setTimeout(resolve, 2))
        await writeFile(counter, String(before + 1))
      })
    }`
  const run = promisify(execFile)
  const args = ['--input-type=module', '-e', script, lock, counter]
  await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, args)))
  expect(await readFile(counter, 'utf8')).toBe('40')
  expect(await readdir(folder)).toEqual(['counter'])
})

it('is free again after the work has failed', async () => {
  await expect(withFileLock(lock, () => Promise.reject(new Error('failed')))).rejects.toThrow()
  expect(await withFileLock(lock, async () => 'done')).toBe('done')
})

it('of a process that has ended is taken over', async () => {
  const { pid } = await new Promise<{ pid: number }>((resolve) => {
    const child = execFile(process.execPath, ['-e', '0'], () => resolve({ pid: child.pid ?? 0 }))
  })
  await writeFile(lock, `${pid} abc`)
  expect(await withFileLock(lock, async () => 'done', 2000)).toBe('done')
})

it('that is a minute old is taken over, also if a process has its id', async () => {
  await writeFile(lock, `${process.pid} abc`)
  const old = new Date(Date.now() - 61_000)
  await utimes(lock, old, old)
  expect(await withFileLock(lock, async () => 'done', 2000)).toBe('done')
})

it('that another process holds is waited for, but not forever', async () => {
  await writeFile(lock, `${process.pid} abc`)
  await expect(withFileLock(lock, async () => 'done', 60)).rejects.toThrow('another ftl is using')
  expect(await readFile(lock, 'utf8')).toBe(`${process.pid} abc`)
})
