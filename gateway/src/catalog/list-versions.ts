/** Versions of the stored lists, by which a client that listens learns of a change. */
import { sha256 } from 'ftl-http'
import { KINDS, type Versions } from './catalog.ts'
import type { StoredCatalog } from './stored-catalog.ts'

/** Enough hexadecimal digits that two lists do not have the same version by chance. */
const DIGITS = 16

/**
 * Includes components that this build of the gateway does not know: a listening instance outlives the build that
 * started it.
 *
 * @param only the one component whose lists count. @default every component
 */
export function versionsOf(catalog: StoredCatalog, only?: string): Promise<Versions> {
  const components = Object.entries(catalog).filter(([name]) => name === (only ?? name))
  return Promise.all(
    KINDS.map(async (kind) => {
      const list = components.map(([name, { published }]) => [name, published?.offers[kind]])
      return (await sha256(JSON.stringify(list))).slice(0, DIGITS)
    }),
  )
}
