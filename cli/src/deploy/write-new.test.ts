import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONTAINER_FILES } from './container-files.ts'
import { writeNew } from './write-new.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'ftl-write-'))

test('where one of the files exists, none is written and it is named', async () => {
  const to = folder()
  writeFileSync(join(to, '.dockerignore'), 'mine')
  const writing = writeNew(to, CONTAINER_FILES, 'container')
  await expect(writing).rejects.toThrow(/\.dockerignore exists: remove it/)
  expect(readdirSync(to)).toEqual(['.dockerignore'])
  expect(readFileSync(join(to, '.dockerignore'), 'utf8')).toBe('mine')
})

test('a link is not written through', async () => {
  const to = folder()
  const elsewhere = join(folder(), 'target')
  symlinkSync(elsewhere, join(to, 'Containerfile'))
  const writing = writeNew(to, CONTAINER_FILES, 'container')
  await expect(writing).rejects.toThrow(/Containerfile exists: remove it/)
})
