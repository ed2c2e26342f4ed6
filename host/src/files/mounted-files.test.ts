import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { FilesMount } from '../manifest/manifest.ts'
import { FileError } from './file-tree.ts'
import { MountedFiles } from './mounted-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'ftl-files-'))
for (const file of ['assets/a.txt', 'assets/deep/b.txt', 'assets/deep/c.key', 'one.json']) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), file)
}

const tree = (files: FilesMount[], excludeFiles: string[] = []) =>
  new MountedFiles({ folder, files, excludeFiles })
const names = (files: MountedFiles, ...path: string[]) => files.list(path).map(({ name }) => name)
const exists = (files: MountedFiles, path: string) => {
  try {
    return files.stat(path.split('/')).directory ? 'directory' : 'file'
  } catch (error) {
    return (error as FileError).code
  }
}

test('a pattern keeps the paths of what it matches', () => {
  const files = tree([{ pattern: 'assets/**/*.txt' }])
  expect(names(files)).toEqual(['assets'])
  expect(names(files, 'assets')).toEqual(['a.txt', 'deep'])
  expect(names(files, 'assets', 'deep')).toEqual(['b.txt'])
  expect(exists(files, 'assets/deep/c.key')).toBe('no-entry')
  expect(exists(files, 'one.json')).toBe('no-entry')
})

test('a pattern can be one file or a whole folder', () => {
  expect(names(tree([{ pattern: 'one.json' }]))).toEqual(['one.json'])
  const files = tree([{ pattern: 'assets' }])
  expect(exists(files, 'assets/deep/c.key')).toBe('file')
})

test('a mount appears at its destination, however deep', () => {
  const files = tree([{ source: 'assets/deep', destination: '/x/y' }])
  expect(names(files)).toEqual(['x'])
  expect(names(files, 'x')).toEqual(['y'])
  expect(names(files, 'x', 'y')).toEqual(['b.txt', 'c.key'])
  const opened = files.open(['x', 'y', 'b.txt'])
  expect(Buffer.from(opened.read(7, 100)).toString()).toBe('deep/b.txt')
  opened.close()
})

test('a single file can be mounted under another name', () => {
  const files = tree([{ source: 'one.json', destination: '/config.json' }])
  expect(exists(files, 'config.json')).toBe('file')
})

test('excluded files are not there', () => {
  const files = tree([{ source: 'assets', destination: '/assets' }], ['**/*.key'])
  expect(exists(files, 'assets/deep/b.txt')).toBe('file')
  expect(exists(files, 'assets/deep/c.key')).toBe('no-entry')
  expect(names(files, 'assets', 'deep')).toEqual(['b.txt'])
})

test('without mounts there is nothing to open', () => {
  expect(tree([]).empty).toBe(true)
})
