/**
 * Checks that a stream exists before a client is connected to it, and answers if it does not.
 *
 * Any client can make up ids. So the Worker itself checks an unknown id with one request to the gateway, and keeps
 * nothing if there is no such job.
 */
import { linkQuery, type PublicJob } from 'ftl-contract'
import { jsonError } from './json-error.ts'
import { lookAtJob } from './job-source.ts'
import { endMessage, errorMessage, NO_SUCH_STREAM } from './messages.ts'
import { countSocket } from './socket-count.ts'
import { type Bindings, gatewayOrigin, upgraded, webSocketPair } from './workerd.ts'

/** Milliseconds the handshake waits for the gateway; after that the stream itself keeps asking. */
const LOOK_TIMEOUT_MS = 5_000

/** Requests to the gateway at the same time, so that made-up ids cannot take all the gateway's instances. */
const MAX_LOOKS = 64

/** Streams that were found recently, so that the second listener of a stream costs no request. */
const MAX_KNOWN = 1_000
const known = new Set<string>()
let looks = 0

/**
 * Requests the job from the gateway, unless it was found recently.
 *
 * @returns the job, if it was requested; `known` if it was found recently, or if the gateway cannot be reached, because
 *   only the stream can wait for it; `busy` if too many requests are running.
 */
export async function findStream(
  id: string,
  link: string | undefined,
  env: Bindings,
): Promise<PublicJob | 'known' | 'missing' | 'busy'> {
  const name = streamName(id, link)
  if (known.has(name)) return 'known'
  if (looks >= MAX_LOOKS) return 'busy'
  looks++
  try {
    const look = await lookAtJob(gatewayOrigin(env), id, { link, timeoutMs: LOOK_TIMEOUT_MS })
    if (look.kind === 'missing') return 'missing'
    if (look.kind === 'unreachable') return 'known'
    if (known.size >= MAX_KNOWN) for (const oldest of known) if (known.delete(oldest)) break
    known.add(name)
    return look.job
  } finally {
    looks--
  }
}

/**
 * Each link of a job has a stream of its own: a client whose link the gateway has not checked must not join one that has
 * the record.
 */
export function streamName(id: string, link: string | undefined): string {
  return id + linkQuery(link)
}

/** Sockets that received an error message and are still open, because their clients do not close them. */
const MAX_REFUSED = 64
let refused = 0

/**
 * Sends what a failed stream sends, so that a client has only one case to handle. If too many clients keep such a
 * socket open, the handshake is refused instead.
 */
export function refuseStream(id: string): Response {
  if (refused >= MAX_REFUSED) return jsonError(404, 'stream_not_found', NO_SUCH_STREAM.message)
  const { client, server } = webSocketPair()
  server.accept()
  refused++
  countSocket(server, () => refused--)
  server.send(errorMessage(id, NO_SUCH_STREAM))
  server.send(endMessage(id))
  server.close(1000)
  return upgraded(client)
}
