/** Whether an answer of a component is used without another request. */
import type { Scope } from '../scope.ts'

export function isFresh({ settings }: Scope, askedAt: number | undefined, now: number): boolean {
  // After a clock change `askedAt` may be in the future; without this check the entry would stay fresh until then.
  return askedAt !== undefined && askedAt > now - settings.catalogTtlMs && askedAt <= now
}

/** With a `catalog_ttl_ms` of 0, each call would ask. */
const SHORTEST_TTL_MS = 1_000

/** Whether the answer of a pinned component is too old for a call to be compared by. @default it is */
export function isOld({ settings, platform }: Scope, asked?: { askedAt: number }): boolean {
  return (asked?.askedAt ?? 0) <= platform.now() - Math.max(settings.catalogTtlMs, SHORTEST_TTL_MS)
}
