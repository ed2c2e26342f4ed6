/** Runs a chat: its last line is always a `result` or an `error`, and there is only one of them. */
import type { Platform } from 'ftl-platform'
import { ChatFailure } from '../failure.ts'
import type { TokenBudget } from '../limits/token-budget.ts'
import { LineQueue } from '../line-queue.ts'
import type { AnyLine, Lines } from '../lines.ts'
import type { ChatRequest } from '../request/chat-request.ts'
import type { ModelSettings } from '../settings.ts'
import { answerChat } from './answer-chat.ts'

export interface ChatRun {
  chat: ChatRequest
  platform: Platform
  requestId: string
  /** Headers that authenticate the client at the gateway. */
  credentials: Readonly<Record<string, string>>
  model: ModelSettings
  lines: Lines
  /** `undefined` where tokens are not limited. */
  budget: TokenBudget | undefined
  /** Aborted when the client has gone. */
  signal: AbortSignal
}

export async function* runChat(run: ChatRun): AsyncGenerator<AnyLine, void> {
  const { lines, signal, requestId } = run
  const queue = new LineQueue<AnyLine>()
  // Without a reader, a line that waits for room would wait forever.
  signal.addEventListener('abort', () => queue.leave())
  void answerChat(run, (line) => queue.say(line))
    .then(
      (response) => lines.result(response),
      (error: unknown) => lines.error(wordsFor(error)),
    )
    .then((last) => queue.say(last))
    .catch(() => undefined)
    .then(() => queue.end())
  yield* queue.read()

  function wordsFor(error: unknown) {
    if (error instanceof ChatFailure) {
      const { code, message, field } = error
      return { code, message, ...(field !== undefined && { field }) }
    }
    if (!signal.aborted) {
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
      console.error(`[${requestId}] failed: ${name}: ${message}\n${stack}`)
    }
    return { code: 'internal', message: 'The chat failed; see its log.' }
  }
}
