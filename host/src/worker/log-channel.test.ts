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

test('a component prints so many bytes a second, and what is more is counted', () => {
  let now = 0
  const sent: string[] = []
  const post = (message: FromWorker) => {
    if (message.type === 'log') sent.push(message.line)
  }
  const logs = new LogChannel(new Int32Array(1), post, 10_000, () => now)
  for (let i = 0; i < 200; i++) logs.write('probe', 'stdout', LINE)
  const first = sent.length
  expect(first).toBeGreaterThan(30)
  expect(first).toBeLessThan(60)
  logs.write('other', 'stdout', 'another component is not concerned')
  expect(sent.at(-1)).toBe('another component is not concerned')
  now = 1000
  logs.write('probe', 'stdout', 'a second later')
  expect(sent.slice(-2)).toEqual([
    `${200 - first} lines were dropped: they came too fast`,
    'a second later',
  ])
})

test('messages about a component are limited in length and number', () => {
  let now = 0
  const problems: string[] = []
  const post = (message: FromWorker) => {
    if (message.type === 'problem') problems.push(message.message)
  }
  const logs = new LogChannel(new Int32Array(1), post, 10_000, () => now)
  for (let i = 0; i < 1000; i++) logs.problem('probe', 'y'.repeat(100_000))
  expect(problems[0]?.length).toBeLessThan(5000)
  expect(problems.length).toBeLessThan(100)
  now = 1000
  logs.problem('probe', 'later')
  expect(problems.slice(-2)[0]).toMatch(/^\d+ messages like this one were dropped/)
})
