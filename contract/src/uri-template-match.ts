/**
 * Whether a URI can come from a URI template, in a time that grows with both: templates are of strangers, and a regular expression
 * with two expressions beside each other tries each way to divide the text between them.
 */

/** By the place in the URI, 1 if the rest of the template may begin there. */
type Places = Uint8Array

/** @param parts literal text at even places, expressions with their braces at odd ones. */
export function matchesParts(parts: readonly string[], uri: string): boolean {
  const start = new Uint8Array(uri.length + 1)
  start[0] = 1
  const inside = insideCharacters(uri)
  const read = (from: Places, part: string, index: number) => {
    if (index % 2 === 0) return afterText(from, part, uri)
    return afterExpression(from, part, uri).map((is, at) => (inside[at] === 1 ? 0 : is))
  }
  return parts.reduce(read, start)[uri.length] === 1
}

const DIGIT = '[\\da-fA-F]'
const NEXT_BYTE = `%[89abAB]${DIGIT}`

/** A percent-encoded character of UTF-8, as the source of a regular expression. */
export const ESCAPED_CHARACTER = `%(?:[0-7]${DIGIT}|(?:[cdCD]${DIGIT}|(?:[eE]${DIGIT}|[fF][0-7]${NEXT_BYTE})${NEXT_BYTE})${NEXT_BYTE})`

/** By the place in the URI, 1 within a character that takes more than one place. */
function insideCharacters(uri: string): Places {
  const inside = new Uint8Array(uri.length + 1)
  const long = new RegExp(`${ESCAPED_CHARACTER}|[^\\0-\\uffff]`, 'gu')
  for (const { 0: character, index } of uri.matchAll(long)) {
    inside.fill(1, index + 1, index + character.length)
  }
  return inside
}

/** Clients write characters beyond ASCII as they are or, by section 3.1 of the RFC, percent-encoded. */
function afterText(places: Places, text: string, uri: string): Places {
  return text.split(/([^\x00-\x7f]+)/).reduce((from, piece) => {
    const forms = [piece, encodeURIComponent(piece.toWellFormed())]
    const next = new Uint8Array(from.length)
    for (let at = from.indexOf(1); at >= 0; at = from.indexOf(1, at + 1)) {
      for (const form of /[^\x00-\x7f]/.test(piece) ? forms : [piece]) {
        if (uri.startsWith(form, at)) next[at + form.length] = 1
      }
    }
    return next
  }, places)
}

export const LINE_ENDS = '\n\r\u2028\u2029'

function afterExpression(places: Places, expression: string, uri: string): Places {
  const operator = expression[1] ?? ''
  if (operator === '+') return after(places, uri, LINE_ENDS)
  if (operator === '#') return after(places, uri, LINE_ENDS, operator)
  if (/[./;?&]/.test(operator)) return after(places, uri, '#', operator)
  return after(places, uri, expression.endsWith('*}') ? '?#' : '/?#')
}

/**
 * After one character or more.
 *
 * @param ends characters that it cannot have.
 * @param begins what it begins with if it is there. @default it is there, and begins with any
 */
function after(places: Places, uri: string, ends: string, begins?: string): Places {
  const next = begins === undefined ? new Uint8Array(places.length) : places.slice()
  let isIn = false
  for (let at = 0; at < uri.length; at++) {
    const character = uri.charAt(at)
    const mayBegin = places[at] === 1
    isIn = (isIn || (mayBegin && begins === undefined)) && !ends.includes(character)
    if (mayBegin && character === begins) isIn = true
    if (isIn) next[at + 1] = 1
  }
  return next
}
