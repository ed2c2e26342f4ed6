import { expect, it } from 'vitest'
import { DeadlineExceeded, leavingBy, startDeadline, withDeadline } from './deadline.ts'

it('gives the result of work that is in time', async () => {
  expect(await withDeadline(1_000, async () => 'done')).toBe('done')
})

it('gives the error of work that fails', async () => {
  await expect(withDeadline(1_000, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
})

it('gives up work that ignores the signal', async () => {
  await expect(withDeadline(10, () => new Promise(() => {}))).rejects.toThrow(DeadlineExceeded)
})

it('aborts the signal at the deadline', async () => {
  let reason: unknown
  const work = (signal: AbortSignal) =>
    new Promise<never>(() =>
      signal.addEventListener('abort', () => (reason = signal.reason as unknown)),
    )
  await expect(withDeadline(10, work)).rejects.toThrow('no answer within 10 ms')
  expect(reason).toBeInstanceOf(DeadlineExceeded)
})

it('gives up work for a client that has gone, and work begun after that', async () => {
  const client = new AbortController()
  const deadline = startDeadline(1_000, leavingBy(client.signal))
  const never = new Promise<never>(() => {})
  const before = deadline.race(never)
  client.abort(new Error('gone'))
  await expect(before).rejects.toThrow('gone')
  await expect(deadline.race(never)).rejects.toThrow('gone')
  deadline.end()
})
