/** Reads the messages of an HTTP response: one of `application/json`, or those of an event stream. */
import { EventReader, isObject, memberOf } from 'ftl-contract'
import {
  type Deadline,
  discard,
  JsonTooDeep,
  parseJson,
  readPieces,
  readText,
  roundedNumber,
} from 'ftl-http'
import { redact } from '../redact.ts'
import { RemoteError, toRemoteError } from './remote-error.ts'

/**
 * Lines of an event stream. An empty line costs a microsecond and one byte: eight million of them kept the component
 * computing for eight seconds.
 */
const MAX_LINES = 100_000
/** Levels of nesting. A list of tools has more of them than the schemas in it, of which the gateway accepts 64. */
const MAX_DEPTH = 80

export interface ReadOptions {
  deadline: Deadline
  /** Bytes; an endless response would fill the sandbox's memory. */
  limit: number
  /** Redacted in every text before it is parsed. */
  secrets: readonly string[]
  /** Most arrays and objects of a message. @default 200,000 */
  brackets?: number | undefined
}

/** @throws {RemoteError} when the response is not JSON, too long, too late or incomplete. */
export async function* readMessages(
  response: Response,
  { deadline, limit, secrets, brackets }: ReadOptions,
): AsyncGenerator<unknown, void, undefined> {
  const [type = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(';')
  const clean = (text: string) => parse(redact(text, secrets), brackets)
  if (type.trim() === 'text/event-stream') {
    const events = new EventReader()
    let lines = 0
    for await (const text of streamText(response, deadline, limit)) {
      // Splitting is native; a loop over the text is interpreted.
      lines += text.split('\n').length + text.split('\r').length - 2
      if (lines > MAX_LINES) {
        throw new RemoteError('violation', `answered more than ${MAX_LINES} lines of events`)
      }
      for (const { event, data } of events.push(text)) {
        // Some servers announce a resumable stream with an empty first event, or send events of their own, such as `ping`.
        if (event === 'message' && data !== '') yield clean(data)
      }
    }
    return
  }
  if (type.trim() !== 'application/json') {
    discard(response)
    throw new RemoteError('violation', 'answered something that is neither JSON nor events')
  }
  yield clean(await readAll(response, deadline, limit))
}

/**
 * Reads the whole body, without a stream where the engine can: a stream takes longer than the rest of a small answer.
 *
 * @throws {RemoteError} when it has more than `limit` bytes.
 */
export async function readAll(
  response: Response,
  deadline: Deadline,
  limit: number,
): Promise<string> {
  try {
    return await deadline.race(readText(response, { limit, signal: deadline.signal }))
  } catch (error) {
    throw toRemoteError(error, 'broke off its answer')
  }
}

/** @throws {RemoteError} */
async function* streamText(
  response: Response,
  deadline: Deadline,
  limit: number,
): AsyncGenerator<string, void, undefined> {
  try {
    yield* readPieces(response, { limit, deadline })
  } catch (error) {
    throw toRemoteError(error, 'broke off its answer')
  }
}

/** Without a structured result whose numbers would be passed on as others: the text of the result has them as they are. */
function withExactNumbers(message: unknown, text: string): unknown {
  const result = memberOf(message, 'result')
  const structured = memberOf(result, 'structuredContent')
  if (!isObject(message) || !isObject(result) || structured === undefined) return message
  if (roundedNumber(text, structured) === undefined) return message
  const { structuredContent: _, ...rest } = result
  const { content } = rest
  const note = {
    type: 'text',
    text: 'Its structuredContent has a number beyond 2^53 and is left out.',
  }
  return {
    ...message,
    result: { ...rest, content: [...(Array.isArray(content) ? (content as unknown[]) : []), note] },
  }
}

/** JSON can have a half of a character, where a server has cut a text. Searching is native; an expression is interpreted. */
const mayHaveHalves = (text: string) => text.includes('\\ud') || text.includes('\\uD')

/** Without halves of characters: parsers in Python and Rust refuse a whole message for one. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (!isObject(value)) return value
  const members = Object.entries(value)
  return Object.fromEntries(
    members.map(([key, member]) => [key.toWellFormed(), wellFormed(member)]),
  )
}

function parse(text: string, brackets: number | undefined): unknown {
  try {
    const limits = { depth: MAX_DEPTH, ...(brackets !== undefined && { brackets }) }
    const message = parseJson(text, limits)
    return withExactNumbers(mayHaveHalves(text) ? wellFormed(message) : message, text)
  } catch (error) {
    if (error instanceof JsonTooDeep) {
      throw new RemoteError('violation', `answered JSON that ${error.message}`)
    }
    throw new RemoteError('violation', 'answered something that is not JSON')
  }
}
