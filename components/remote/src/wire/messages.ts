/** Reads the messages of an HTTP response: one of `application/json`, or those of an event stream. */
import { type Deadline, discard, EventReader, readPieces, readText } from 'ftl-http'
import { redact } from '../redact.ts'
import { RemoteError, toRemoteError } from './remote-error.ts'

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
    for await (const text of streamText(response, deadline, limit)) {
      for (const data of events.push(text)) {
        // Some servers announce a resumable stream with an empty first event.
        if (data !== '') yield clean(data)
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
    return JSON.parse(text) as unknown
  } catch {
    throw new RemoteError('violation', 'answered something that is not JSON')
  }
}
