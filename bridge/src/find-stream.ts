/**
 * Checks that a stream exists before a client is connected to it.
 *
 * Any client can make up ids. So the Worker itself checks an unknown id with one request to the gateway, and keeps
 * nothing if there is no such job.
 */
import { linkQuery, pause, type PublicJob } from 'ftl-contract'
import { lookAtJob } from './job-source.ts'
import { type Bindings, gatewayOrigin } from './workerd.ts'

/** Milliseconds the handshake waits for the gateway; after that the stream itself keeps asking. */
const LOOK_TIMEOUT_MS = 5_000

/** Requests to the gateway at the same time, so that made-up ids cannot take all the gateway's instances. */
const MAX_LOOKS = 64

/**
 * Milliseconds a handshake waits for its turn. After a restart thousands of clients come back within a second. A client that
 * is refused comes back much later than its turn would have come.
 */
const TURN_TIMEOUT_MS = 10_000

/** Handshakes that wait for their turn; each has a connection. */
const MAX_WAITING = 4_000

/** Milliseconds between two tries: the least, and the most that chance adds. A Worker needs a timer for each handshake. */
const TRY_AGAIN_MS = 100
const TRY_AGAIN_CHANCE_MS = 300

/** Streams that were found recently, so that the second listener of a stream costs no request. */
const MAX_KNOWN = 1_000
const known = new Set<string>()

/** A request that is under way, or has just ended. */
interface Look {
  outcome?: 'known' | 'missing'
}
const looks = new Map<string, Look>()
let waiting = 0

/**
 * Requests the job from the gateway, unless it was found recently or another handshake is requesting it.
 *
 * @returns the job, if it was requested; `known` if it was found, or if the gateway cannot be reached, because only the
 *   stream can wait for it; `busy` if too many requests are running for too long.
 */
export async function findStream(
  id: string,
  link: string | undefined,
  env: Bindings,
): Promise<PublicJob | 'known' | 'missing' | 'busy'> {
  const name = streamName(id, link)
  const found = outcomeFor(name) ?? (await turn(name))
  if (found !== 'look') return found
  const own: Look = {}
  looks.set(name, own)
  try {
    const look = await lookAtJob(gatewayOrigin(env), id, { link, timeoutMs: LOOK_TIMEOUT_MS })
    if (look.kind === 'missing') {
      own.outcome = 'missing'
      return 'missing'
    }
    if (look.kind === 'unreachable') return 'known'
    if (known.size >= MAX_KNOWN) for (const oldest of known) if (known.delete(oldest)) break
    known.add(name)
    return look.job
  } finally {
    own.outcome ??= 'known'
    looks.delete(name)
  }
}

/** @returns `look` if this handshake is to request the job; `undefined` if it has to wait. */
function outcomeFor(
  name: string,
  other = looks.get(name),
): 'known' | 'missing' | 'look' | undefined {
  if (known.has(name)) return 'known'
  if (other) return other.outcome
  return looks.size < MAX_LOOKS ? 'look' : undefined
}

/** Waits until a request may begin, or until that of another listener of the stream has ended. */
async function turn(name: string): Promise<'known' | 'missing' | 'look' | 'busy'> {
  if (waiting >= MAX_WAITING) return 'busy'
  waiting++
  try {
    const until = Date.now() + TURN_TIMEOUT_MS
    let other = looks.get(name)
    while (Date.now() < until) {
      await pause(TRY_AGAIN_MS + Math.random() * TRY_AGAIN_CHANCE_MS)
      other ??= looks.get(name)
      const outcome = outcomeFor(name, other)
      if (outcome) return outcome
    }
    return 'busy'
  } finally {
    waiting--
  }
}

/**
 * Each link of a job has its own stream. A client whose link the gateway has not checked must not join a stream that already
 * has the record.
 */
export function streamName(id: string, link: string | undefined): string {
  return id + linkQuery(link)
}
