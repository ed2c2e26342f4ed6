/** Reads the messages of an HTTP response: one of `application/json`, or those of an event stream. */
import { EventReader } from 'ftl-contract'
import { type Deadline, discard, JsonTooDeep, parseJson, readPieces, readText } from 'ftl-http'
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
}

/** @throws {RemoteError} when the response is not JSON, too long, too late or incomplete. */
export async function* readMessages(
  response: Response,
  { deadline, limit, secrets }: ReadOptions,
): AsyncGenerator<unknown, void, undefined> {
  const [type = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(';')
  const clean = (text: string) => parse(redact(text, secrets))
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

function parse(text: string): unknown {
  try {
    return parseJson(text, { depth: MAX_DEPTH })
  } catch (error) {
    if (error instanceof JsonTooDeep) {
      throw new RemoteError('violation', `answered JSON that ${error.message}`)
    }
    throw new RemoteError('violation', 'answered something that is not JSON')
  }
}
