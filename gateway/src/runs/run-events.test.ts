import { expect, it } from 'vitest'
import type { StatusLine } from 'ftl-contract'
import type { Settled } from '../invoke/outcome.ts'
import type { AttemptEnd } from './attempt.ts'
import { RunEvents } from './run-events.ts'

const line = (message: string) => ({ type: 'status', message }) as StatusLine
const settled: Settled = { kind: 'result', result: { content: [] } }
const END: AttemptEnd = { kind: 'ended', settled }

async function readAll(events: RunEvents, attempt: Promise<AttemptEnd>) {
  const messages: unknown[] = []
  const lines = events.until(attempt, async (end) => (end === END ? settled : { kind: 'unknown' }))
  for (;;) {
    const { done, value } = await lines.next()
    if (done) return { messages, settled: value }
    messages.push((value as StatusLine).message)
  }
}

it('sends lines when they come, and then the end', async () => {
  const events = new RunEvents()
  events.add(line('before'))
  const read = readAll(events, Promise.resolve(END))
  await new Promise((resolve) => setTimeout(resolve, 5))
  events.add(line('later'))
  events.add(line('last'))
  await events.end()
  expect(await read).toEqual({ messages: ['before', 'later', 'last'], settled })
})

it('keeps a bounded number of lines for a slow reader', async () => {
  const events = new RunEvents()
  for (let i = 0; i < 1000; i++) events.add(line(String(i)))
  await events.end()
  const { messages } = await readAll(events, Promise.resolve(END))
  expect(messages).toEqual(Array.from({ length: 100 }, (_, index) => String(index)))
})
