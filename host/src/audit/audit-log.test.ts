import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AuditLog } from './audit-log.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-audit-log-'))
  path = join(folder, 'audit.jsonl')
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const open = () => AuditLog.open({ auditLog: path }, undefined, () => {})
const line = (n: number) => `{"audit":1,"event":"call","n":${n}}`
const written = () =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => (JSON.parse(text) as { n?: number; event: string }).n)
    .filter((n) => n !== undefined)

test('lines that come together are written at once, in their order, and so is one that something waits for', async () => {
  const log = await open()
  log.takeTogether([line(1), line(2)])
  expect(written()).toEqual([1, 2])
  expect(log.take(line(3))).toBe(true)
  log.takeTogether([line(4)])
  expect(written()).toEqual([1, 2, 3, 4])
  await log.close()
})

test('the end of a job is written once, whichever way its line comes', async () => {
  const log = await open()
  const end = '{"audit":1,"event":"job","n":1,"job":"j1"}'
  log.takeTogether([end])
  log.take(end)
  log.takeTogether([end])
  await log.close()
  expect(written()).toEqual([1])
})
