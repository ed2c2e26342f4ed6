import { expect, it } from 'vitest'
import { ChatFailure } from '../failure.ts'
import { modelSettings } from '../settings.ts'
import { askModel } from './ask.ts'

const PIECE = new TextEncoder().encode('x'.repeat(64 * 1024))
const MIB = 1024 * 1024

/** A model's server whose answer has no line break and never ends. */
function endlessServer(type: string) {
  const seen = { bytes: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (seen.bytes > 32 * MIB) return controller.close()
      seen.bytes += PIECE.length
      controller.enqueue(PIECE)
    },
    cancel() {
      seen.cancelled = true
    },
  })
  const response = new Response(body, { headers: { 'content-type': type } })
  return { seen, fetch: async () => response }
}

it.each(['text/event-stream', 'application/x-ndjson', 'application/json'])(
  'an endless line of %s ends as an answer that is too long',
  async (type) => {
    const { seen, fetch } = endlessServer(type)
    const turn = askModel({
      platform: { fetch } as unknown as Parameters<typeof askModel>[0]['platform'],
      settings: modelSettings({ get: () => undefined }),
      model: 'small',
      messages: [],
      tools: [],
      signal: new AbortController().signal,
      onEvent: async () => {},
      onRetry: async () => {},
    })
    const error: unknown = await turn.catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ChatFailure)
    expect(error).toMatchObject({ code: 'model_too_long' })
    expect(seen.bytes).toBeLessThan(5 * MIB)
    expect(seen.cancelled).toBe(true)
  },
)
