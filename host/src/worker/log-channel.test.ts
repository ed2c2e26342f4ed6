import { expect, test } from 'vitest'
import type { FromWorker } from '../wire/messages.ts'
import { LogChannel, logTaken } from './log-channel.ts'

const LINE = 'x'.repeat(1000)

function channel() {
  const backlog = new Int32Array(1)
  const sent: string[] = []
  const logs = new LogChannel(backlog, (message: FromWorker) => {
    if (message.type === 'log') sent.push(message.line)
  })
  const take = () => {
    for (const line of sent.splice(0)) logTaken(backlog, line)
  }
  return { logs, sent, take }
}

test('what is taken in time is all there', () => {
  const { logs, sent, take } = channel()
  for (let i = 0; i < 5000; i++) {
    logs.write('probe', 'stdout', LINE)
    expect(sent).toEqual([LINE])
    take()
  }
})

test('a guest that prints without end waits in a megabyte, and the rest is counted', () => {
  const { logs, sent, take } = channel()
  for (let i = 0; i < 5000; i++) logs.write('probe', 'stdout', LINE)
  const kept = sent.length
  expect(kept * LINE.length).toBeLessThan(1.1 * 1024 * 1024)
  take()
  logs.write('probe', 'stdout', 'after')
  expect(sent).toEqual([`${5000 - kept} lines were dropped: they came too fast`, 'after'])
})
