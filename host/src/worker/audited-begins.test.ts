import { expect, test } from 'vitest'
import { CallTree } from '../instance/call-tree.ts'
import { CELLS } from '../wire/guest-cells.ts'
import { AuditedBegins, begunWritten } from './audited-begins.ts'

const cells = () => new Int32Array(new SharedArrayBuffer(4 * CELLS))
const tree = (id: number) => new CallTree({ id, components: [] })

test('a request waits until its line is written, and one without a line does not', async () => {
  const shared = cells()
  const begins = new AuditedBegins(shared)
  const [one, other] = [tree(1), tree(2)]
  begins.sent(one)
  expect(begins.written(other)).toBeUndefined()
  expect(begins.written(undefined)).toBeUndefined()
  const waiting = begins.written(one)
  let isOver = false
  void waiting?.then(() => (isOver = true))
  await new Promise((wake) => setTimeout(wake, 20))
  expect(isOver).toBe(false)
  begunWritten(shared, true)
  await waiting
  expect(begins.written(one)).toBeUndefined()
})

test('a request whose line cannot be written, and must be, is refused; the next ones are not', async () => {
  const shared = cells()
  const begins = new AuditedBegins(shared)
  const [one, next] = [tree(1), tree(2)]
  begins.sent(one)
  begunWritten(shared, false)
  await expect(begins.written(one)).rejects.toThrow('the audit log cannot be written')
  begins.sent(next)
  begunWritten(shared, true)
  expect(begins.written(next)).toBeUndefined()
})
