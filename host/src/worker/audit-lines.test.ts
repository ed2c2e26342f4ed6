import { expect, test, vi } from 'vitest'
import type { FromWorker } from '../wire/messages.ts'
import { AuditLines } from './audit-lines.ts'

const line = (text: string) => ({ line: text, request: 1 })
const response: FromWorker = {
  ...{ type: 'response', id: 1, status: 200, headers: [], body: new Uint8Array() },
  ...{ chain: [], calls: [], report: {} },
}

function started() {
  const sent: FromWorker[] = []
  const lines = new AuditLines((message) => sent.push(message))
  return { lines, sent }
}

test('a line that something waits for is sent at once, after those that wait', () => {
  const { lines, sent } = started()
  lines.add(line('end'), false)
  expect(sent).toEqual([])
  lines.add(line('begin'), true)
  expect(sent).toEqual([{ type: 'audit', lines: [line('end'), line('begin')] }])
})

test('other lines go with the next answer, once', () => {
  const { lines, sent } = started()
  lines.add(line('end'), false)
  expect(lines.join({ type: 'ready' })).toEqual({ type: 'ready' })
  expect(lines.join(response)).toEqual({ ...response, lines: [line('end')] })
  expect(lines.join(response)).toBe(response)
  lines.flush()
  expect(sent).toEqual([])
})

test('without an answer they are sent by themselves', async () => {
  const { lines, sent } = started()
  lines.add(line('one'), false)
  lines.add(line('two'), false)
  await vi.waitFor(() =>
    expect(sent).toEqual([{ type: 'audit', lines: [line('one'), line('two')] }]),
  )
})
