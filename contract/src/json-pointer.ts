/**
 * Places in a JSON document.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6901
 */
import { isString, memberOf } from './values.ts'

/** The names on the way to the place. */
export function namesIn(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1)
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** What stands at the place, or `undefined`. */
export function valueAt(document: unknown, pointer: string): unknown {
  return namesIn(pointer).reduce<unknown>(memberOf, document)
}

/** What `$ref` leads to, for a reference inside the document: others are never followed. */
export function referred(document: unknown, ref: unknown): unknown {
  return isString(ref) && isInside(ref) ? valueAt(document, decoded(ref.slice(1))) : undefined
}

/** Whether a reference leads to a place in the document itself, and not to an anchor or elsewhere. */
export const isInside = (ref: string): boolean => /^#(\/|$)/.test(ref)

/** One that is not well encoded is taken as it is. */
function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer)
  } catch {
    return pointer
  }
}
