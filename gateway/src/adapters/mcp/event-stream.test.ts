import { afterEach, expect, it, vi } from 'vitest'
import { createWorld, several, tool } from '../../testing/components.ts'
import { modern } from '../../testing/modern.ts'
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

it('ends the component’s work when the client goes away', async () => {
  let signal: AbortSignal | undefined
  const line = new TextEncoder().encode('{"type":"status","progress":1}\n')
  const w = createWorld({
    components: {
      one: several(
        [tool('slow')],
        () =>
          new Response(new ReadableStream({ start: (controller) => controller.enqueue(line) }), {
            headers: { 'content-type': 'application/x-ndjson' },
          }),
      ),
    },
  })
  const inner = w.platform.fetch.bind(w.platform)
  w.platform.fetch = (input, init) => {
    signal = init?.signal ?? undefined
    return inner(input, init)
  }
  const response = await w.send(
    modern('tools/call', { name: 'slow' }, { meta: { progressToken: 1 } }),
  )
  const reader = response.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain(
    'notifications/progress',
  )
  expect(signal?.aborted).toBe(false)
  await reader?.cancel()
  expect(signal?.aborted).toBe(true)
})
