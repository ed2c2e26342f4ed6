import { afterEach, expect, it, vi } from 'vitest'
import { eventStream } from './event-stream.ts'

afterEach(() => vi.useRealTimers())

it('says that it is alive while nothing happens', async () => {
  vi.useFakeTimers()
  const never = async function* () {
    await new Promise(() => {})
    yield {}
  }
  const reader = eventStream(never(), () => {}).body?.getReader()
  const first = reader?.read()
  await vi.advanceTimersByTimeAsync(15_000)
  expect(new TextDecoder().decode((await first)?.value)).toBe(': still working\n\n')
})
