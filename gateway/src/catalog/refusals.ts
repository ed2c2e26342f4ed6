/**
 * How often components are asked again because a call was refused.
 *
 * What is known may be old, so before an unknown name is refused every component is asked, and before arguments are
 * refused the component concerned. That is thirty times the work of the refusal: without a limit a client that sends
 * wrong names takes the machine from all others. So it happens at most once in {@link TRUSTED_MS}, for all clients
 * together; for the rest of the time what is known is true.
 */
import { jsonOf, setJson } from 'ftl-platform'
import { logError } from '../log.ts'
import type { Scope } from '../scope.ts'

/** Milliseconds a refusal is trusted; less with a shorter `catalog_ttl_ms`, and never when that is 0. */
export const TRUSTED_MS = 1_000

const KEY = 'asked-again:'

/**
 * Whether components may be asked again now; if so, other requests may not for a while.
 *
 * @param component the one that would be asked. @default all
 */
export async function mayAskAgain(scope: Scope, component = scope.only ?? '*'): Promise<boolean> {
  const { platform, settings } = scope
  const trusted = Math.min(TRUSTED_MS, settings.catalogTtlMs)
  if (trusted === 0) return true
  try {
    const store = await scope.store()
    const now = platform.now()
    const last = jsonOf(await store.get(KEY + component))
    // A time that is still to come is a mistake or a lie.
    if (typeof last === 'number' && last <= now && last > now - trusted) return false
    await setJson(store, KEY + component, now)
  } catch (error) {
    logError(scope, 'limit of refusals not kept', error)
  }
  return true
}
