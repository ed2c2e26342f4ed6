/** When an attempt of a run ends. */
import type { Scope } from '../scope.ts'

/** @param timeoutMs of an attempt, which also ends with the credential of its caller. @returns ms since the epoch */
export function deadlineOf({ platform, caller }: Scope, timeoutMs: number): number {
  return Math.min(platform.now() + timeoutMs, caller?.expires ?? Number.MAX_SAFE_INTEGER)
}
