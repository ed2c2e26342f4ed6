/** One turn of the model. */
import type { Platform } from 'ftl-platform'
import { pause } from 'ftl-contract'
import { BodyTooLarge, DeadlineExceeded, readText } from 'ftl-http'
import { ChatFailure, modelFailure } from '../failure.ts'
import type { ModelSettings } from '../settings.ts'
import type { Message, ModelEvent, ToolFunction, Turn } from './messages.ts'
import { bodyLines, fetchUntilBegun } from './network.ts'
import { refusedBy, unreachable, withoutKey } from './refused.ts'
import { unreadable } from './said-error.ts'
import { listModels } from './find-model.ts'
import { authorization, WIRES } from './wires.ts'

/** Long, because the server may first have to load a large model from disk. */
const SILENCE_MS = 300_000
/** Bytes of an answer: without a limit, one that does not end would fill the memory of the component. */
const ANSWER_LIMIT = 4 * 1024 * 1024
/** Longest wait a server may ask for, in seconds; if it asks for more, the chat fails with its error. */
const MOST_RETRY_SECONDS = 5

export interface Ask {
  platform: Platform
  settings: ModelSettings
  /** The model's name. */
  model: string
  messages: readonly Message[]
  tools: readonly ToolFunction[]
  /** Aborted when the client has gone. */
  signal: AbortSignal
  /** Resolves when the reader has room for more. */
  onEvent: (event: ModelEvent) => Promise<void>
  /** Called before the request is repeated after `seconds`, as the server asked. */
  onRetry: (seconds: number) => Promise<void>
}

/** @throws {ChatFailure} */
export async function askModel(ask: Ask): Promise<Turn> {
  const { settings, signal } = ask
  try {
    const response = await begin(ask)
    const type = response.headers.get('content-type') ?? ''
    return /^application\/json\b/i.test(type)
      ? await readWhole(ask, response)
      : await readStream(ask, response)
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof ChatFailure) throw withoutKey(error, settings.key)
    if (error instanceof BodyTooLarge) {
      throw modelFailure('model_too_long', 'The answer does not end.')
    }
    if (!(error instanceof DeadlineExceeded)) throw error
    const message = `The model has said nothing for ${SILENCE_MS / 60_000} minutes.`
    throw modelFailure('model_timeout', message)
  }
}

async function begin(ask: Ask): Promise<Response> {
  const first = await send(ask)
  if (first.ok) return first
  const seconds = retryAfter(first)
  if (seconds === undefined) throw await refused(ask, first)
  void first.body?.cancel().catch(() => undefined)
  await ask.onRetry(seconds)
  await pause(seconds * 1000, ask.signal)
  const second = await send(ask)
  if (second.ok) return second
  throw await refused(ask, second)
}

async function send({ platform, settings, model, messages, tools, signal }: Ask) {
  const wire = WIRES[settings.api]
  try {
    return await fetchUntilBegun(platform, `${settings.origin}${settings.path}${wire.path}`, {
      method: 'POST',
      signal,
      timeoutMs: SILENCE_MS,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/x-ndjson, application/json',
        ...authorization(settings),
      },
      body: JSON.stringify(wire.body(model, messages, tools)),
    })
  } catch (error) {
    if (signal.aborted || error instanceof DeadlineExceeded) throw error
    throw unreachable(settings)
  }
}

function refused({ platform, settings, model, signal }: Ask, response: Response) {
  return refusedBy(response, settings, model, () => listModels(platform, settings, signal))
}

/** Seconds after which to repeat the request; `undefined` if a retry would not help. */
function retryAfter({ status, headers }: Response): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const text = headers.get('retry-after')
  const seconds = text === null ? 1 : Number(text)
  return seconds >= 0 && seconds <= MOST_RETRY_SECONDS ? seconds : undefined
}

async function readStream(ask: Ask, response: Response): Promise<Turn> {
  const reader = WIRES[ask.settings.api].reader()
  const { signal } = ask
  const lines = bodyLines(response, { signal, silenceMs: SILENCE_MS, limit: ANSWER_LIMIT })
  for (;;) {
    const { done, value } = await lines.next().catch((error: unknown) => {
      const known = error instanceof DeadlineExceeded || error instanceof BodyTooLarge
      throw signal.aborted || known ? error : brokeOff()
    })
    if (done) break
    try {
      for (const event of reader.line(value)) await ask.onEvent(event)
    } catch (error) {
      await lines.return()
      throw error
    }
    if (reader.done) {
      await lines.return()
      return reader.turn()
    }
  }
  throw brokeOff()
}

async function readWhole(ask: Ask, response: Response): Promise<Turn> {
  const { signal } = ask
  const text = await readText(response, { limit: ANSWER_LIMIT, signal })
  let turn: Turn | undefined
  try {
    turn = WIRES[ask.settings.api].whole(JSON.parse(text))
  } catch (error) {
    if (error instanceof ChatFailure) throw error
  }
  if (!turn) throw unreadable(text)
  if (turn.content !== '') await ask.onEvent({ type: 'content', content: turn.content })
  return turn
}

function brokeOff(): ChatFailure {
  return modelFailure(
    'model_broke_off',
    'The model broke off in the middle of its answer. Send the message again.',
  )
}
