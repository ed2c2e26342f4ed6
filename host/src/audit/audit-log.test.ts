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

test('lines of answered requests are written when the answer was sent, in their order', async () => {
  const log = await open()
  log.takeLater([line(1), line(2)])
  log.takeLater([line(3)])
  expect(written()).toEqual([])
  await new Promise((resolve) => setImmediate(resolve))
  expect(written()).toEqual([1, 2, 3])
  await log.close()
})

test('they stay before a line that something waits for, and are not lost at the end', async () => {
  const log = await open()
  log.takeLater([line(1)])
  expect(log.take(line(2))).toBe(true)
  expect(written()).toEqual([1, 2])
  log.takeLater([line(3)])
  await log.close()
  expect(written()).toEqual([1, 2, 3])
})

test('the end of a job is written once, whichever way its line comes', async () => {
  const log = await open()
  const end = '{"audit":1,"event":"job","n":1,"job":"j1"}'
  log.takeLater([end])
  log.take(end)
  log.takeLater([end])
  await log.close()
  expect(written()).toEqual([1])
})
