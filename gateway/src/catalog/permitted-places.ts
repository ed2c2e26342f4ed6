/** Which tools of a catalog a caller may see, by their places: a text with a character for each. */
import type { CatalogTool } from './catalog.ts'

const PERMITTED = 0x31

/** @param own the tools of the caller, entries of `all`. */
export function permittedIn(all: readonly CatalogTool[], own: readonly CatalogTool[]): string {
  const permitted = new Set(own)
  return all.map((tool) => (permitted.has(tool) ? '1' : '0')).join('')
}

export function isPermitted(permitted: string, place: number): boolean {
  return permitted.charCodeAt(place) === PERMITTED
}
