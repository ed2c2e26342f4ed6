/**
 * Whether a URI can come from a URI template, in a time that grows with both: templates are of strangers, and a regular expression
 * with two expressions beside each other tries each way to divide the text between them.
 */

/** Where the rest of a template may begin: places in the URI, from the first to the last one of each. In order, and apart. */
type Places = readonly (readonly [first: number, last: number])[]

/** @param parts literal text at even places, expressions with their braces at odd ones. */
export function matchesParts(parts: readonly string[], uri: string): boolean {
  let places: Places = [[0, 0]]
  for (const [index, part] of parts.entries()) {
    if (part === '') continue
    places = index % 2 === 0 ? afterText(places, part, uri) : afterExpression(places, part, uri)
    if (places.length === 0) return false
  }
  return places.at(-1)?.[1] === uri.length
}

/** Clients write characters beyond ASCII as they are or, by section 3.1 of the RFC, percent-encoded. */
function afterText(places: Places, text: string, uri: string): Places {
  return text.split(/([^\x00-\x7f]+)/).reduce((from, piece, index) => {
    if (piece === '') return from
    const asItIs = after(from, piece, uri)
    return index % 2 === 0 ? asItIs : joined([...asItIs, ...after(from, encoded(piece), uri)])
  }, places)
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    // Half of a surrogate pair.
    return text
  }
}

function after(places: Places, text: string, uri: string): Places {
  return found(places, text, uri).map((at) => [at + text.length, at + text.length])
}

/** Where the text is, from one of the places on. */
function found(places: Places, text: string, uri: string): number[] {
  const all: number[] = []
  for (const [first, last] of places) {
    if (first === last) {
      if (uri.startsWith(text, first)) all.push(first)
      continue
    }
    for (let at = uri.indexOf(text, first); at >= 0 && at <= last; at = uri.indexOf(text, at + 1)) {
      all.push(at)
    }
  }
  return all
}

const LINE_END = '\\n\\r\\u2028\\u2029'

function afterExpression(places: Places, expression: string, uri: string): Places {
  const operator = expression[1] ?? ''
  if (operator === '+') return some(places, uri, LINE_END)
  if (operator !== '' && './;?&#'.includes(operator)) {
    const begun = after(places, operator, uri)
    const ends = operator === '#' ? LINE_END : '#'
    return joined([...places, ...begun, ...some(begun, uri, ends)])
  }
  return some(places, uri, expression.endsWith('*}') ? '?#' : '/?#')
}

/** After one character or more, of all but these. */
function some(places: Places, uri: string, ends: string): Places {
  const end = new RegExp(`[${ends}]`, 'g')
  const all: [number, number][] = []
  let stop = -1
  for (const [first, last] of places) {
    for (let at = first; at <= last; at = stop + 1) {
      if (stop < at) {
        end.lastIndex = at
        stop = end.exec(uri)?.index ?? uri.length
      }
      if (stop > at) all.push([at + 1, stop])
    }
  }
  return joined(all)
}

function joined(places: Places): Places {
  const all: [number, number][] = []
  for (const [first, last] of places.toSorted(([one], [other]) => one - other)) {
    const before = all.at(-1)
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else all.push([first, last])
  }
  return all
}
