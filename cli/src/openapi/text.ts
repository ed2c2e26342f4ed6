/** Texts of a document, as a model reads them. */

/** Control characters, marks that change the direction of text, and the tags of Unicode, which only a model reads. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]+/gu

/**
 * The first sentences, without HTML and with few line breaks.
 *
 * @param limit characters.
 */
export function brief(text: string, limit: number): string {
  const words = withoutTags(text.slice(0, 20_000))
    .replace(HIDDEN, ' ')
    .split(' ')
    .filter((word) => word !== '')
    .join(' ')
  if (words.length <= limit) return words
  const start = words.slice(0, limit)
  const sentence = Math.max(
    start.lastIndexOf('. '),
    start.lastIndexOf('! '),
    start.lastIndexOf('? '),
  )
  if (sentence > limit / 3) return start.slice(0, sentence + 1)
  const word = start.lastIndexOf(' ')
  return `${start.slice(0, word > limit / 2 ? word : limit).toWellFormed()} …`
}

/** Tags only: a `<` that begins none stays. */
function withoutTags(text: string): string {
  let result = ''
  let at = 0
  while (at < text.length) {
    const start = text.indexOf('<', at)
    if (start < 0) break
    const end = text.indexOf('>', start)
    if (end < 0) break
    const isTag = /[a-z/!]/i.test(text[start + 1] ?? '') && end - start < 500
    result += `${text.slice(at, start)}${isTag ? ' ' : text.slice(start, end + 1)}`
    at = end + 1
  }
  return result + text.slice(at)
}
