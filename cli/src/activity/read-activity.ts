/** Reads `GET /activity` of a gateway, once or as it happens. */
import { EventReader } from 'ftl-contract'
import { besideMcp } from '../commands/server-address.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { ShownComponent, ShownRequest } from './activity-types.ts'

export interface ActivityAnswer {
  /** `other`: the host records no requests. */
  host: string
  message?: string
  components: readonly ShownComponent[]
  requests: readonly ShownRequest[]
  /** Where a reader goes on. */
  next?: string
}

export interface ActivitySource {
  /** Of the gateway, with any path. */
  url: string
  headers: Readonly<Record<string, string>>
  /** What a user can do when nothing answers. */
  remedy: string
}

/** The gateway does not answer. The message is for the user. */
export class UnreachableError extends CommandFailure {}

/** Milliseconds without an answer; the host sends something every 15 seconds. */
const SILENCE_MS = 40_000

/** @throws {CommandFailure} */
export async function readActivity(
  source: ActivitySource,
  query: URLSearchParams,
): Promise<ActivityAnswer> {
  const response = await get(source, query, 'application/json', AbortSignal.timeout(SILENCE_MS))
  const body = (await response.json().catch(() => undefined)) as ActivityAnswer | undefined
  if (!Array.isArray(body?.requests)) throw notAGateway(source)
  return body
}

/**
 * Yields the name and the data of each event until the connection ends or the signal aborts.
 *
 * @throws {CommandFailure}
 */
export async function* followActivity(
  source: ActivitySource,
  query: URLSearchParams,
  signal: AbortSignal,
): AsyncGenerator<{ event: string; data: unknown }> {
  const response = await get(source, query, 'text/event-stream', signal)
  if (!response.body) throw notAGateway(source)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const events = new EventReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    for (const { event, data } of events.push(value)) {
      yield { event, data: JSON.parse(data) as unknown }
    }
  }
}

async function get(
  source: ActivitySource,
  query: URLSearchParams,
  accept: string,
  signal: AbortSignal,
): Promise<Response> {
  const url = besideMcp(source.url, 'activity')
  url.search = query.toString()
  let response: Response
  try {
    const headers = { ...source.headers, accept }
    // A redirect could take the token to another place.
    response = await fetch(url, { headers, redirect: 'manual', signal })
  } catch (error) {
    if (
      signal.aborted &&
      signal.reason instanceof DOMException &&
      signal.reason.name !== 'TimeoutError'
    ) {
      throw error
    }
    throw new UnreachableError(`${url.origin} does not answer.\n${source.remedy}`)
  }
  if (response.ok) return response
  const body = (await response.json().catch(() => undefined)) as
    { error?: { message?: unknown } } | undefined
  const message = body?.error?.message
  if (typeof message === 'string') throw new CommandFailure(message)
  if (response.status === 401) {
    throw new CommandFailure('the gateway requires authentication: give --token, or set FTL_TOKEN')
  }
  throw notAGateway(source, response.status)
}

function notAGateway({ url }: ActivitySource, status?: number): CommandFailure {
  const answer = status === undefined ? '' : ` (status ${status})`
  return new CommandFailure(
    `${new URL(url).origin} has no activity${answer}: give the address of a gateway that ftl serves`,
  )
}
