/** What a server lacks, in one sentence for every place that shows it. File names come from the server: they are bounded. */

/** Names that a message lists. */
const MAX_NAMES = 6
/** Characters of one name in a message. */
const MAX_NAME = 60
/** Characters of all names of a message; `/health/components` cuts a line at 500. */
const MAX_LISTED = 240
/** Characters that are examined of a name: a server may send a megabyte. */
const MAX_READ = 1_000

/**
 * Control characters, marks that change the direction of text, characters without a width, and, because of the flag `u`,
 * halves of a surrogate pair.
 */
const INVISIBLE =
  /[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]/gu
const CREDENTIALS = /\/\/[^/@]*@/g
const ABSOLUTE = /^(?:[\\/]|[A-Za-z]:)/

/**
 * `The ComfyUI server does not have the model file "x.safetensors". It has "a.safetensors" and 3 more.`
 *
 * @param available the files that the server has for the same input; absent: not known.
 * @param place which input this is about, for the author of a workflow: ` ("ckpt_name" of node 4)`.
 */
export function describeMissingModel(
  file: string,
  available?: readonly unknown[],
  place = '',
): string {
  const name = file.slice(-MAX_READ).split(/[\\/]/).at(-1) ?? ''
  const missing = `The ComfyUI server does not have the model file "${shownName(name)}"${place}.`
  return available ? `${missing} ${describeAvailable(available)}` : missing
}

export function describeMissingNode(nodeType: string): string {
  return `The ComfyUI server does not have the node "${shownName(nodeType)}".`
}

/** `It has "a.safetensors", "b.safetensors" and 3 more.` */
function describeAvailable(available: readonly unknown[]): string {
  const shown: string[] = []
  let length = 0
  for (const name of available) {
    if (typeof name !== 'string') continue
    const text = `"${shownName(name)}"`
    length += text.length
    if (shown.length === MAX_NAMES || length > MAX_LISTED) break
    shown.push(text)
  }
  const more = available.length - shown.length
  if (shown.length === 0) {
    return more === 0 ? 'It has no file of this kind.' : `It has ${more} others.`
  }
  return `It has ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

/** A name of a server as a part of a message: one line, shortened, without credentials and absolute paths. */
export function shownName(name: string): string {
  const text = name.slice(0, MAX_READ).replace(INVISIBLE, '').replace(CREDENTIALS, '//')
  const relative = ABSOLUTE.test(text) ? (text.split(/[\\/]/).at(-1) ?? '') : text
  const quoted = relative.replaceAll('"', "'")
  // The cut may leave half of a pair.
  const cut = () => `${quoted.slice(0, MAX_NAME - 1).replace(INVISIBLE, '')}…`
  return quoted.length > MAX_NAME ? cut() : quoted
}
