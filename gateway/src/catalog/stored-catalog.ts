/**
 * The catalog in the key-value store: what every component published when it last answered.
 *
 * @module
 */
import { getJson, setJson } from 'ftl-platform'
import type { ToolDescription } from 'ftl-sdk/contract'
import type { Scope } from '../scope.ts'
import type { CallAddress } from './catalog.ts'

/** One entry for all components, so that a call needs one read. */
export const CATALOG_KEY = 'catalog:v1'

export interface StoredComponent {
  component: string
  callAt: CallAddress[]
  digest: string
  tools: ToolDescription[]
}

/** What was stored last; empty when there is nothing or the store cannot be used. */
export async function loadCatalog(scope: Scope): Promise<StoredComponent[]> {
  try {
    const store = await scope.store()
    const stored = await getJson<StoredComponent[]>(store, CATALOG_KEY)
    return Array.isArray(stored) ? stored : []
  } catch (error) {
    logStoreFailure('read', error)
    return []
  }
}

/** Writes only what differs: writes are slow and counted on hosted platforms. */
export async function saveCatalog(
  scope: Scope,
  before: readonly StoredComponent[],
  after: readonly StoredComponent[],
): Promise<void> {
  if (fingerprint(before) === fingerprint(after)) return
  try {
    await setJson(await scope.store(), CATALOG_KEY, after)
  } catch (error) {
    logStoreFailure('written', error)
  }
}

function fingerprint(components: readonly StoredComponent[]): string {
  return components.map((c) => `${c.component} ${c.digest} ${c.callAt.join(' ')}`).join('\n')
}

// Without a store the gateway is slower, not broken: every call asks the components.
function logStoreFailure(deed: string, error: unknown): void {
  console.error(`catalog not ${deed}:`, error instanceof Error ? error.message : error)
}
