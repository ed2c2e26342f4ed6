/**
 * Names for OpenAI: its functions have names of 1 to 64 letters, digits, `_` and `-`; tools may have 128, and dots.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
import { utf8 } from 'ftl-http'
import type { ToolRepository } from '../../catalog/catalog.ts'
import { freshCatalog } from '../../catalog/lookup.ts'
import type { Scope } from '../../scope.ts'

const FITS = /^[\w-]{1,64}$/
const MADE = /_[0-9a-f]{8}$/
const KEPT = 55

/**
 * A name that fits is kept. Any other has `_` for what may not be, at most its first 55 characters, and then `_` and
 * eight hexadecimal digits made from all of it: so it does not depend on which other tools there are.
 */
export function functionName(name: string): string {
  if (FITS.test(name)) return name
  return `${name.replace(/[^\w-]/g, '_').slice(0, KEPT)}_${fnv1a(name)}`
}

/** The tool's own name. A name that was made here is looked for; any other is taken as it is. */
export async function ownName(
  tools: ToolRepository,
  scope: Scope,
  called: string,
): Promise<string> {
  if (!MADE.test(called)) return called
  // What is known may be old, as for every call.
  for (const read of [() => tools.known(scope), () => freshCatalog(tools, scope)]) {
    const { tools: entries } = await read()
    const entry = entries.find(({ name }) => functionName(name) === called)
    if (entry) return entry.name
  }
  return called
}

/** @see https://datatracker.ietf.org/doc/html/draft-eastlake-fnv */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of utf8(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
