/** How often the components are asked again for a name that the stored catalog does not have. */
import { jsonOf, setJson } from 'ftl-platform'
import { logError } from '../log.ts'
import type { Scope } from '../scope.ts'

/** Milliseconds a refusal is trusted; less with a shorter `catalog_ttl_ms`, and never when that is 0. */
export const TRUSTED_MS = 1_000

const ASKED_KEY = 'asked-again:'

/**
 * Whether components may be asked again now; if so, other requests may not for {@link TRUSTED_MS}.
 *
 * The stored catalog may be outdated, so before an unknown name is refused every component is asked, and before
 * arguments are refused the component concerned. That is thirty times the work of the refusal: without a limit, a
 * client that sends wrong names would slow down all others. The limit counts the requests of all clients together.
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
    const last = jsonOf(await store.get(ASKED_KEY + component))
    // A time in the future is an error or forged.
    if (typeof last === 'number' && last <= now && last > now - trusted) return false
    await setJson(store, ASKED_KEY + component, now)
  } catch (error) {
    logError(scope, 'limit of refusals not kept', error)
  }
  return true
}
