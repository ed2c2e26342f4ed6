/** Sends one message and streams its answer. */
import type { ChatLine, ChatRequest, ChatResponse } from './chat-lines.ts'
import { type Line, LineError, readLines } from './ndjson.ts'

/**
 * The chat ended without an answer. `code` is the server's error code (`failed` if it sent none), `broken` if the
 * connection was lost, or `unreadable` if the response is not the answer of a chat.
 */
export class ChatFailure extends Error {
  override readonly name = 'ChatFailure'
  readonly code: string
  /** The field of the request that the server rejected. */
  readonly field: string | undefined
  constructor(message: string, code: string, field?: string) {
    super(message)
    this.code = code
    this.field = field
  }
}

export interface SendOptions {
  /** @default '/api/chat' */
  url?: string
  /** Ends the chat; jobs that tools have started continue. */
  signal?: AbortSignal
  /** Called for every line except the last. An error that it throws ends the chat, and `sendChat` rejects with it. */
  onLine?: (line: ChatLine) => void
  /** @default globalThis.fetch */
  fetch?: typeof fetch
}

/**
 * Sends a message and waits for the answer. Without streaming responses, `onLine` gets all lines at the end.
 *
 * @throws {ChatFailure} when there is no answer. Throws the reason of `signal` when `signal` ended the chat.
 */
export async function sendChat(
  request: ChatRequest,
  options: SendOptions = {},
): Promise<ChatResponse> {
  const lines = ask(request, options)
  try {
    for (;;) {
      const { done, value } = await lines.next().catch((error: unknown) => {
        throw worded(error, options.signal)
      })
      if (done) throw broken()
      // Thrown outside the `catch` above, so that an error reported by the server is passed on unchanged.
      if (value['type'] === 'error') throw failure(value)
      if (value['type'] === 'result') return value['response'] as ChatResponse
      options.onLine?.(value as unknown as ChatLine)
    }
  } finally {
    void lines.return()
  }
}

async function* ask(
  request: ChatRequest,
  { url = '/api/chat', signal, fetch = globalThis.fetch }: SendOptions,
): AsyncGenerator<Line, void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
    signal,
  })
  if (!response.ok) {
    const body = (await response.json().catch(() => ({}))) as { error?: Line }
    throw failure(body.error ?? {}, `The chat answered with HTTP ${response.status}.`)
  }
  if (response.body) return yield* readLines(response.body)
  for (const line of (await response.text()).split('\n')) {
    if (line.trim() !== '') yield JSON.parse(line) as Line
  }
}

function failure(
  { message, code, field }: Partial<ChatFailure> | Line,
  otherwise = 'The chat failed.',
): ChatFailure {
  return new ChatFailure(
    (message as string) ?? otherwise,
    (code as string) ?? 'failed',
    field as string | undefined,
  )
}

function worded(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason
  if (error instanceof ChatFailure) return error
  if (error instanceof LineError || error instanceof SyntaxError) {
    return new ChatFailure('The answer cannot be read.', 'unreadable')
  }
  return broken()
}

function broken(): ChatFailure {
  return new ChatFailure('The connection was lost before the answer was complete.', 'broken')
}
