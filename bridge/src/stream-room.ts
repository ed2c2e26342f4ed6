/**
 * One stream: all listeners of one job get the same messages.
 *
 * It is a Durable Object, so that all sockets of a stream share one request to the gateway. It stores nothing: the
 * state is the job's record, which is stored in the gateway's key-value store.
 *
 * Each look at the job is an alarm. A loop inside the request that opened the first socket would be simpler, but
 * all its fetches count against that one request: 50 looks on Cloudflare's free plan, so a stream of a minute would
 * break. Each alarm has its own budget.
 *
 * The sockets are plain and not hibernatable: an object that looks every second never sleeps long enough, and
 * workerd leaves the connection of a hibernatable socket open for 25 s after the server has closed it.
 *
 * @see https://developers.cloudflare.com/workers/platform/limits/#subrequests
 */
import type { DurableObjectStorage } from '@cloudflare/workers-types'
import { isFinal, type PublicJob } from 'ftl-contract'
import { lookAtJob } from './job-source.ts'
import { Listener } from './listener.ts'
import { LiveState } from './live/live-state.ts'
import { chunkMessage, errorMessage, GATEWAY_AWAY, NO_SUCH_STREAM } from './messages.ts'
import { TRY_AGAIN_LATER } from './outbox.ts'
import { Outage } from './outage.ts'
import { type Limits, readLimits } from './settings.ts'
import { countSocket } from './socket-count.ts'
import { decodeWishes } from './wishes.ts'
import { type Bindings, gatewayOrigin, upgraded, webSocketPair } from './workerd.ts'

const DEFAULT_POLL_MS = 1_000
const SHORTEST_POLL_MS = 100
const LONGEST_POLL_MS = 30_000

/** Headers the worker sets; a client cannot set them, because the worker sends a new request. */
export const STREAM_HEADER = 'x-stream-id'
export const ORIGIN_HEADER = 'x-stream-origin'
export const LINK_HEADER = 'x-stream-link'
export const WISHES_HEADER = 'x-stream-wishes'

export class StreamRoom {
  readonly #storage: DurableObjectStorage
  readonly #gatewayUrl: string
  readonly #limits: Limits
  readonly #outage: Outage
  readonly #live: LiveState
  readonly #listeners = new Set<Listener>()
  /** The result of the last look. In memory only: a restarted object looks again. */
  #latest: PublicJob | undefined
  /** When the next look is due, in milliseconds of `Date.now()`. */
  #lookAt = 0
  /** When the alarm is due; setting it is a write, so it is only moved to an earlier time. */
  #alarmAt = Infinity

  constructor({ storage }: { storage: DurableObjectStorage }, env: Bindings) {
    this.#storage = storage
    this.#gatewayUrl = gatewayOrigin(env)
    this.#limits = readLimits(env)
    this.#outage = new Outage(env.GIVE_UP_MS)
    this.#live = new LiveState(env, () => this.#waiting())
  }

  /** Connects a client; a POST instead passes on the job record that the Worker has just read. */
  async fetch(request: Request): Promise<Response> {
    if (request.method === 'POST') {
      this.#saw((await request.json()) as PublicJob)
      return new Response(null, { status: 204 })
    }
    const { headers } = request
    const { client, server } = webSocketPair()
    server.accept()
    countSocket(server)
    if (this.#listeners.size >= this.#limits.maxSockets) {
      // Not a refused handshake: a browser would not learn why.
      server.close(TRY_AGAIN_LATER, 'too many listeners on this stream')
      return upgraded(client)
    }
    const listener = new Listener(server, {
      streamId: headers.get(STREAM_HEADER) ?? '',
      origin: headers.get(ORIGIN_HEADER) ?? '',
      link: headers.get(LINK_HEADER) ?? undefined,
      wishes: decodeWishes(headers.get(WISHES_HEADER)),
      limits: this.#limits,
    })
    const leave = () => void this.#leave(listener)
    server.addEventListener('message', ({ data }) => listener.hear(data))
    server.addEventListener('close', leave)
    server.addEventListener('error', leave)
    this.#listeners.add(listener)
    this.#welcome(listener)
    this.#live.update()
    await this.#schedule()
    return upgraded(client)
  }

  /** Does what is due: looks at the job, sends keep-alives, closes clients that did not close after the end. */
  async alarm(): Promise<void> {
    this.#alarmAt = Infinity
    const now = Date.now()
    for (const listener of this.#listeners) {
      if (listener.closeAt <= now) this.#close(listener)
      else listener.beat(now)
    }
    const [waiting] = this.#waiting()
    if (waiting && this.#lookAt <= now) await this.#look(waiting)
    await this.#schedule()
  }

  async #leave(listener: Listener): Promise<void> {
    this.#close(listener)
    this.#live.update()
    await this.#schedule()
  }

  #close(listener: Listener): void {
    this.#listeners.delete(listener)
    listener.close()
  }

  #welcome(listener: Listener): void {
    const now = Date.now()
    const known =
      this.#latest && Date.parse(this.#latest.expiresAt) > now ? this.#latest : undefined
    if (known && isFinal(known)) listener.finish(chunkMessage(known, listener))
    else this.#live.welcome(listener, now < this.#lookAt ? known : undefined)
  }

  async #look({ streamId, link }: Listener): Promise<void> {
    const startedAt = Date.now()
    const look = await lookAtJob(this.#gatewayUrl, streamId, { link })
    const now = Date.now()
    if (look.kind === 'unreachable') {
      const retryMs = this.#outage.failed(startedAt, now)
      if (retryMs !== undefined) this.#lookAt = now + retryMs
      else this.#finish(() => errorMessage(streamId, GATEWAY_AWAY))
      return
    }
    this.#outage.over()
    if (look.kind === 'missing') {
      const gone = this.#waiting()
      this.#finish(() => errorMessage(streamId, NO_SUCH_STREAM))
      for (const listener of gone) this.#close(listener)
      return
    }
    this.#saw(look.job)
  }

  #saw(job: PublicJob): void {
    this.#latest = job
    if (isFinal(job)) this.#finish((listener) => chunkMessage(job, listener))
    else this.#live.look(job)
    this.#lookAt = Date.now() + pollMs(job)
  }

  /** Ends the stream for all waiting listeners. A later listener causes a new look. */
  #finish(chunkFor: (listener: Listener) => string): void {
    for (const listener of this.#waiting()) listener.finish(chunkFor(listener))
    this.#live.update()
    this.#outage.over()
    this.#lookAt = 0
  }

  /** Sets the alarm to the next task, or deletes it when no client is connected. */
  async #schedule(): Promise<void> {
    if (this.#listeners.size === 0) {
      this.#alarmAt = Infinity
      // Without `deleteAll` each stream would leave a database behind. Both at once: no client can join in between.
      await Promise.all([this.#storage.deleteAlarm(), this.#storage.deleteAll()])
      return
    }
    const times = [...this.#listeners].map(({ isFinished, closeAt, beatAt }) =>
      isFinished ? closeAt : Math.min(this.#lookAt, beatAt),
    )
    const due = Math.max(Math.min(...times), Date.now())
    if (due >= this.#alarmAt) return
    this.#alarmAt = due
    await this.#storage.setAlarm(due)
  }

  #waiting(): Listener[] {
    return [...this.#listeners].filter(({ isFinished }) => !isFinished)
  }
}

/** The job's own interval, within bounds: a component's mistake must not cause a busy loop or an endless wait. */
function pollMs({ pollIntervalMs }: PublicJob): number {
  const wanted = Number.isFinite(pollIntervalMs) ? pollIntervalMs : DEFAULT_POLL_MS
  return Math.min(Math.max(wanted, SHORTEST_POLL_MS), LONGEST_POLL_MS)
}
