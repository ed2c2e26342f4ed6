/**
 * The 32-bit FNV-1a of a text, from 0 to 2^32 - 1, by its UTF-16 code units. It is the same in each run, tells texts apart that
 * do not want to be alike, and protects nothing.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
 */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
