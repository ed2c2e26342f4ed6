/**
 * One message, and its answer as it comes.
 *
 * @module
 */
import type { ChatLine, ChatRequest, ChatResponse } from './chat-lines.ts'
import { type Line, LineError, readLines } from './ndjson.ts'

/**
 * The chat did not come to an answer. `code` is the server's own word, or `broken` where the connection was lost and
 * `unreadable` where the answer was none of a chat's.
 */
export class ChatFailure extends Error {
  override readonly name = 'ChatFailure'
  readonly code: string
  /** The field of the request that was refused. */
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
  /** Ends the chat; jobs that tools have started go on. */
  signal?: AbortSignal
  /** Every line but the last. What it throws ends the chat, and is thrown. */
  onLine?: (line: ChatLine) => void
  /** @default the global one */
  fetch?: typeof fetch
}

/**
 * Where nothing can be streamed, the lines come all at the end.
 *
 * @throws {ChatFailure} The reason of `signal`, when that ended it.
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
      // Outside of what is caught while reading: an error the server tells of is one, and not a line to skip.
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
  if (!response.ok) throw await refusal(response)
  if (response.body) return yield* readLines(response.body)
  for (const line of (await response.text()).split('\n')) {
    if (line.trim() !== '') yield JSON.parse(line) as Line
  }
}

async function refusal(response: Response): Promise<ChatFailure> {
  const body = (await response.json().catch(() => ({}))) as { error?: Line }
  return failure(body.error ?? {}, `The chat answered with HTTP ${response.status}.`)
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
  return new ChatFailure('The connection broke in mid-answer.', 'broken')
}
