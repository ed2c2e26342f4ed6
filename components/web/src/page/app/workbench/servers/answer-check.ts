/**
 * Limits of what another server can send in one answer, and a check that an answer belongs to its request. The official
 * client drops an answer with another id, and waits for the right one until the time is over.
 */
import { asObject, EventReader, jsonOf } from 'ftl-contract'

/** Bytes of one message. */
export const MOST_BYTES = 32 * 1024 * 1024
/** Messages of one stream in {@link WINDOW_MS}. */
const MOST_EVENTS = 2_000
const WINDOW_MS = 10_000

/** Why an answer was cut off, in words that are shown. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
}

export type RequestId = string | number

/** @returns the id of a request that waits for an answer; `undefined` for a notification. */
export function requestIdOf(body: unknown): RequestId | undefined {
  if (typeof body !== 'string') return undefined
  const { method, id } = asObject(jsonOf(body))
  return typeof method === 'string' && isId(id) ? id : undefined
}

/** @param onCut receives the reason before the stream ends. */
export function checkedAnswer(
  response: Response,
  asked: RequestId | undefined,
  onCut: (error: AnswerError) => void,
): Response {
  const { body, status, statusText, headers } = response
  if (!body) return response
  const isStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')
  const checked = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new TransformStream(isStream ? events(asked, onCut) : whole(asked, onCut)))
    .pipeThrough(new TextEncoderStream())
  const passed = new Headers(headers)
  passed.delete('content-length')
  return new Response(checked, { status, statusText, headers: passed })
}

type Check = Transformer<string, string>

function whole(asked: RequestId | undefined, onCut: (error: AnswerError) => void): Check {
  const parts: string[] = []
  let length = 0
  return {
    transform(part, controller) {
      length += part.length
      if (length > MOST_BYTES) return cut(controller, TOO_LONG, onCut)
      parts.push(part)
    },
    flush(controller) {
      controller.enqueue(addressed(parts.join(''), asked))
    },
  }
}

function events(asked: RequestId | undefined, onCut: (error: AnswerError) => void): Check {
  let rest: string[] = []
  let length = 0
  let count = 0
  let since = Date.now()
  return {
    transform(part, controller) {
      // The end of an event may be cut into two parts.
      const last = rest.pop() ?? ''
      const pieces = (last + part).split(/\r?\n\r?\n/)
      for (const piece of pieces.slice(0, -1)) {
        const event = rest.join('') + piece
        rest = []
        length = 0
        const now = Date.now()
        if (now - since > WINDOW_MS) [count, since] = [0, now]
        if (++count > MOST_EVENTS) return cut(controller, TOO_MANY, onCut)
        controller.enqueue(`${addressedEvent(event, asked)}\n\n`)
      }
      const open = pieces.at(-1) ?? ''
      length += pieces.length > 1 ? open.length : part.length
      if (length > MOST_BYTES) return cut(controller, TOO_LONG, onCut)
      // Only the last characters are looked at again.
      rest.push(open.slice(0, -4), open.slice(-4))
    },
    flush(controller) {
      controller.enqueue(rest.join(''))
    },
  }
}

const TOO_LONG = 'The server sent a message of more than 32 MB. The page did not read the rest.'
const TOO_MANY =
  'The server sent more than 2,000 messages in ten seconds. The page stopped reading its answer.'
const OTHER_ID = 'The server answered with the id of another request.'

function cut(
  controller: TransformStreamDefaultController<string>,
  reason: string,
  onCut: (error: AnswerError) => void,
): void {
  const error = new AnswerError(reason)
  onCut(error)
  controller.error(error)
}

function addressedEvent(event: string, asked: RequestId | undefined): string {
  if (asked === undefined) return event
  const [found] = new EventReader().push(`${event}\n\n`)
  if (!found) return event
  const message = addressed(found.data, asked)
  if (message === found.data) return event
  const others = event.split(/\r?\n/).filter((line) => !line.startsWith('data:'))
  return [...others, `data: ${message}`].join('\n')
}

/** The same text, or an error with the right id in place of an answer to something else. */
function addressed(text: string, asked: RequestId | undefined): string {
  const message = asObject(jsonOf(text))
  const isAnswer = !('method' in message) && ('result' in message || 'error' in message)
  if (asked === undefined || !isAnswer || message['id'] === asked) return text
  // An error without an id is about a request that the server could not read.
  const isUnread = 'error' in message && (message['id'] ?? null) === null
  const error = isUnread ? message['error'] : { code: -32600, message: OTHER_ID }
  return JSON.stringify({ jsonrpc: '2.0', id: asked, error })
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number'
}
