import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NewFailure } from './failure.ts'
import { writeFolder } from './write.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'new-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const files = new Map([
  ['a.txt', 'A'],
  ['src/b.txt', 'B'],
])

describe('writing a folder', () => {
  it('writes every file, with the folders it needs and the rights of any folder', async () => {
    const target = join(folder, 'deep/er/tool')
    writeFolder(target, files)
    expect(await readFile(join(target, 'src/b.txt'), 'utf8')).toBe('B')
    expect((await readdir(join(folder, 'deep/er'))).sort()).toEqual(['tool'])
    const ordinary = join(folder, 'ordinary')
    await mkdir(ordinary)
    expect((await stat(target)).mode).toBe((await stat(ordinary)).mode)
  })

  it('takes an empty folder', async () => {
    await mkdir(join(folder, 'tool'))
    writeFolder(join(folder, 'tool'), files)
    expect(await readFile(join(folder, 'tool/a.txt'), 'utf8')).toBe('A')
  })

  it('names what is in a folder that is not empty, and leaves it as it is', async () => {
    await mkdir(join(folder, 'tool'))
    await writeFile(join(folder, 'tool/mine.txt'), 'mine')
    expect(() => writeFolder(join(folder, 'tool'), files)).toThrow(/files in it \(mine\.txt\)/)
    expect(await readdir(join(folder, 'tool'))).toEqual(['mine.txt'])
    expect(await readdir(folder)).toEqual(['tool'])
  })

  it('does not replace a file', async () => {
    await writeFile(join(folder, 'tool'), 'mine')
    expect(() => writeFolder(join(folder, 'tool'), files)).toThrow(NewFailure)
    expect(await readFile(join(folder, 'tool'), 'utf8')).toBe('mine')
  })

  it('leaves nothing behind when a file cannot be written', async () => {
    const impossible = new Map([...files, ['a.txt/c.txt', 'a file is no folder']])
    expect(() => writeFolder(join(folder, 'deep/tool'), impossible)).toThrow()
    expect(await readdir(folder)).toEqual([])
  })

  it('leaves nothing behind when what must follow fails', async () => {
    const fail = () => {
      throw new Error('disk full')
    }
    expect(() => writeFolder(join(folder, 'deep/tool'), files, fail)).toThrow('disk full')
    expect(await readdir(folder)).toEqual([])
  })

  it('keeps what was in the folder above', async () => {
    await mkdir(join(folder, 'tools/other'), { recursive: true })
    const fail = () => {
      throw new Error('no')
    }
    expect(() => writeFolder(join(folder, 'tools/tool'), files, fail)).toThrow('no')
    expect(await readdir(join(folder, 'tools'))).toEqual(['other'])
  })

  it('is not interrupted halfway by Ctrl-C', async () => {
    const target = join(folder, 'tool')
    writeFolder(target, files, () => {
      process.kill(process.pid, 'SIGINT')
    })
    expect((await readdir(target)).sort()).toEqual(['a.txt', 'src'])
  })
})
