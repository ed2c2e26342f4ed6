/** Lets the gateway query all components after a reload, so that clients are notified of changed lists. */
import { setTimeout as sleep } from 'node:timers/promises'
import { waitForFirstCatalog } from '../welcome/first-catalog.ts'

/**
 * Milliseconds until the components are queried again. A request that began before the reload may have stored an answer
 * of the previous build after the first query.
 */
const AGAIN_MS = 1_500

/** @param gateway origin of the gateway. */
export async function updateCatalog(gateway: string, againMs = AGAIN_MS): Promise<void> {
  try {
    await waitForFirstCatalog(gateway)
    await sleep(againMs, undefined, { ref: false })
    await waitForFirstCatalog(gateway)
  } catch {
    // The application is being closed, or has no gateway of ours. Its clients list as before.
  }
}
