/** Regular expressions of JSON Schemas that were written for another language than JavaScript. */

/** A piece of an expression: an escape, the start of a group, a number of repetitions, or one character. */
const PIECES = /\\[^]|\(\?P<\w+>|\(\?P=\w+\)|\(\?<\w|\(\?|\{\d+(?:,\d*)?\}|[^]/g

/** Characters of an expression that is translated. Names of groups are looked up among all groups. */
const LONGEST = 10_000

/** `[]a]`, `{,3}` and `[[:alpha:]]`: languages differ in what these mean. A wrong guess would refuse valid arguments. */
const AMBIGUOUS = /(?<!\\)(?:\\\\)*(?:\[\^?\]|\{,|\[\[:)/

/** What no flag can change, and what a class may begin or end with. */
const LETTER = /^[A-Za-z]$/
const RANGE = /([a-z])-([a-z])/gi
/** Escapes whose letter is not that character: with "ignore case" they would have to be looked up. */
const LOOKED_UP = /\\[xukpP1-9c]/

/**
 * The expression as clients compile it, with the flag `u`: Python's named groups, `\A`, `\Z`, `(?i)` and `(?s)` and needless
 * escapes are translated. Clients for Python compile the result, too, so groups lose their names instead of getting those of
 * JavaScript.
 *
 * @returns `undefined` for one that has no such form.
 */
export function portablePattern(source: string): string | undefined {
  if (compiles(source)) return source
  if (source.length > LONGEST || AMBIGUOUS.test(source)) return undefined
  const [head = '', flags = ''] = /^\(\?([aisu]+)\)/.exec(source) ?? []
  const rest = source.slice(head.length)
  const folds = flags.includes('i')
  // Names of groups would be changed, too.
  if (folds && (LOOKED_UP.test(rest) || /\(\?(?:P?<\w|P=)/.test(rest))) return undefined
  let isClass = false
  /** By number. */
  const groups = ['']
  const pieces = ((folds ? withBothCases(rest) : rest).match(PIECES) ?? []).map((piece): string => {
    if (isClass) {
      isClass = piece !== ']'
      return piece.startsWith('\\') ? escaped(piece) : piece
    }
    if (/^\(($|\?P?<)/.test(piece)) groups.push(piece)
    if (piece === '[') isClass = true
    else if (piece.startsWith('(?P<')) return '('
    else if (piece.startsWith('(?P=')) {
      return `(?:\\${groups.indexOf(`(?P<${piece.slice(4, -1)}>`)})`
    } else if (piece === '\\Z' || piece === '\\z') return '$'
    else if (piece === '\\A') return '^'
    else if (/^[\]{}]$/.test(piece)) return `\\${piece}`
    else if (piece === '.' && flags.includes('s')) return '[\\s\\S]'
    else if (folds && LETTER.test(piece)) return bothCases(piece)
    return piece.startsWith('\\') ? escaped(piece) : piece
  })
  const translated = pieces.join('')
  return compiles(translated) ? translated : undefined
}

function compiles(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp
  } catch {
    return false
  }
}

/** With the flag `u`, only characters with a meaning may have a backslash. */
function escaped(piece: string): string {
  const character = piece.slice(1)
  if (/[A-Za-z0-9^$\\.*+?()[\]{}|/]/.test(character) || character.charCodeAt(0) > 126) return piece
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}

function bothCases(letter: string): string {
  return `[${letter.toLowerCase()}${letter.toUpperCase()}]`
}

/** The classes of an expression, with the letters of both cases. */
function withBothCases(source: string): string {
  return source.replace(/\[((?:\\[^]|[^\]\\])*)\]/g, (whole, members: string) => {
    const plain = members.replace(/\\[^]/g, '')
    const ranges = [...plain.matchAll(RANGE)].map(([range]) => range)
    const letters = plain.replace(RANGE, '').match(/[A-Za-z]/g) ?? []
    const more = [...ranges, ...letters].flatMap((part) => [part.toLowerCase(), part.toUpperCase()])
    return more.length > 0 ? `[${members}${[...new Set(more)].join('')}]` : whole
  })
}
