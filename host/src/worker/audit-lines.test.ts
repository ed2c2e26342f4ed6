import { expect, test } from 'vitest'
import { CallTree } from '../instance/call-tree.ts'
import { auditMemory, AuditRing } from '../wire/audit-ring.ts'
import type { FromWorker } from '../wire/messages.ts'
import { AuditLines } from './audit-lines.ts'

const BEGIN = '{"audit":1,"event":"begin","time":"now","call":"c1"}'
const END = '{"audit":1,"event":"call","time":"now","call":"c1"}'

function setUp() {
  const memory = auditMemory()
  const asked: FromWorker[] = []
  const taken: unknown[] = []
  const ring = new AuditRing(memory)
  const take = (mayGoOn = true) =>
    ring.take((line) => {
      taken.push(line)
      return mayGoOn
    })
  return { lines: new AuditLines(memory, (message) => asked.push(message)), asked, taken, take }
}

const tree = (id: number) => new CallTree({ id, components: [] })

test('lines are there for the main thread in their order, and nothing wakes it', () => {
  const { lines, asked, taken, take } = setUp()
  lines.add(BEGIN, tree(7))
  lines.add(END, undefined)
  take()
  expect(taken).toEqual([
    { line: BEGIN, request: 7 },
    { line: END, request: undefined },
  ])
  expect(asked).toEqual([])
})

test('a request waits until its line is written, and one without a line does not', async () => {
  const { lines, asked, take } = setUp()
  const [one, other] = [tree(1), tree(2)]
  lines.add(BEGIN, one)
  lines.add(END, other)
  expect(lines.written(other)).toBeUndefined()
  expect(lines.written(undefined)).toBeUndefined()
  const waiting = lines.written(one)
  expect(asked).toEqual([{ type: 'audit' }])
  let isOver = false
  void waiting?.then(() => (isOver = true))
  await new Promise((wake) => setTimeout(wake, 20))
  expect(isOver).toBe(false)
  take()
  await waiting
  expect(lines.written(one)).toBeUndefined()
  // It does not block.
  lines.hold(one)
  lines.hold(other)
})

test('a request whose line cannot be written, and must be, is refused; the next ones are not', async () => {
  const { lines, take } = setUp()
  const [one, next] = [tree(1), tree(2)]
  lines.add(BEGIN, one)
  take(false)
  await expect(lines.written(one)).rejects.toThrow('the audit log cannot be written')
  lines.add(BEGIN, next)
  take()
  expect(lines.written(next)).toBeUndefined()
})
