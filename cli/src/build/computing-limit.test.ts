import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { limitComputing } from './computing-limit.ts'

const LOOP = 'for (;;) {}'
const WAIT = 'setTimeout(() => {}, 60_000)'

async function ended(script: string, limitMs: number, computedMs?: () => number | undefined) {
  const child = spawn(process.execPath, ['-e', script])
  limitComputing(child, limitMs, computedMs)
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { signal }
}

it('ends a process that computes', async () => {
  expect((await ended(LOOP, 500)).signal).toBe('SIGKILL')
})

it('gives one that waits for a processor ten times the limit', async () => {
  let asked = 0
  const { signal } = await ended(WAIT, 50, () => (asked++, 20))
  expect(signal).toBe('SIGKILL')
  expect(asked).toBe(10)
})

it('ends any process after the limit where its time is not known', async () => {
  let asked = 0
  const { signal } = await ended(WAIT, 100, () => void asked++)
  expect(signal).toBe('SIGKILL')
  expect(asked).toBe(1)
})

it('leaves one alone that ends in time', async () => {
  expect((await ended('', 20_000)).signal).toBeNull()
})
