/**
 * A request that nothing watched, once it has ended. There is one for every request of a busy host, so it is an object
 * that is used again when the ring has dropped it, and texts are made when a reader asks for them.
 */
import { randomUUID } from 'node:crypto'
import type { RequestEntry } from '../requests/request-entry.ts'
import { isFine, MAX_TEXT, outcomeOf, OWN_BYTES, toolOf } from './request-facts.ts'
import type { RingEntry } from './ring.ts'
import type { ActivityRequest } from './activity-types.ts'

const NONE: readonly never[] = []

export class PastRequest implements RingEntry {
  seq = 0
  place = -1
  counted = 0
  /** Rises when the ring drops it: what is known about its request then belongs nowhere. */
  use = 0
  /** `undefined`: neither the client nor the gateway has given one. */
  sentId: string | undefined
  /** Milliseconds since 1970. */
  time = 0
  method = ''
  path = ''
  agent: string | undefined
  components: readonly string[] = NONE
  outcome: RequestEntry['outcome'] = 'answered'
  status = 0
  milliseconds = 0
  bytes = 0
  reason: string | undefined
  principal: string | undefined
  retries = 0

  get id(): string {
    return (this.sentId ??= randomUUID())
  }

  get size(): number {
    // 36: also if it has none yet, so that reading does not change it.
    return OWN_BYTES + 2 * (this.path.length + (this.sentId?.length ?? 36))
  }

  toWire(withDetails: boolean): ActivityRequest {
    const { path, agent, principal, reason } = this
    const outcome = outcomeOf(this, undefined)
    const target = toolOf(path)
    return {
      id: this.id,
      time: new Date(this.time).toISOString(),
      method: this.method,
      path,
      ...(target !== undefined && { target }),
      components: this.components,
      outcome,
      ...(reason !== undefined && !isFine(outcome) && { reason: reason.slice(0, 2 * MAX_TEXT) }),
      status: this.status,
      ms: Math.round(this.milliseconds * 1000) / 1000,
      bytes: this.bytes,
      ...(principal !== undefined && { principal }),
      ...(agent !== undefined && { client: { agent } }),
      retries: this.retries,
      calls: NONE,
      watched: false,
      counts: { spans: 0, kv: 0, network: 0, lines: 0, dropped: 0 },
      ...(withDetails && { spans: NONE, lines: NONE }),
    }
  }
}
