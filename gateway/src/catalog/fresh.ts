/** Whether an answer of a component is used without another request. */
import type { Scope } from '../scope.ts'

export function isFresh({ settings }: Scope, askedAt: number | undefined, now: number): boolean {
  // After a clock change `askedAt` may be in the future; without this check the entry would stay fresh until then.
  return askedAt !== undefined && askedAt > now - settings.catalogTtlMs && askedAt <= now
}
