/** What the editor replaces in texts before it sends them. */

/** Levels of `{a|{b|c}}` that are resolved. */
const MAX_DEPTH = 20

/**
 * A text with variants, `a {red|blue} house`, without its comments. The editor takes one of the variants by chance each
 * time; a file has to say one of them, so it is the first.
 *
 * @param spend counts what is read; each level of variants is read again.
 */
export function firstVariant(text: string, spend: (characters: number) => void, depth = 0): string {
  if (depth > MAX_DEPTH) return text
  spend(text.length)
  const plain = withoutComments(text)
  let result = ''
  for (let at = 0; at < plain.length; at++) {
    const char = plain[at] ?? ''
    if (char === '\\') {
      result += char + (plain[++at] ?? '')
    } else if (char === '{') {
      const { variant, end } = readVariants(plain, at + 1)
      result += firstVariant(variant, spend, depth + 1)
      at = end
    } else result += char
  }
  return result
}

/** By hand: an expression would look for the end of each of many openings again. */
function withoutComments(text: string): string {
  let result = ''
  let at = 0
  for (;;) {
    const start = text.slice(at).search(/\/[/*]/)
    if (start === -1) return result + text.slice(at)
    const open = at + start
    const isLine = text[open + 1] === '/'
    const end = text.indexOf(isLine ? '\n' : '*/', open + 2)
    if (end === -1) return result + (isLine ? text.slice(at, open) : text.slice(at))
    result += text.slice(at, open)
    at = isLine ? end : end + 2
  }
}

function readVariants(text: string, start: number): { variant: string; end: number } {
  let level = 0
  let variantEnd: number | undefined
  let at = start
  for (; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === '{') level++
    else if (char === '}' && level-- === 0) break
    else if (char === '|' && level === 0) variantEnd ??= at
  }
  return { variant: text.slice(start, variantEnd ?? at), end: at }
}

/** What ComfyUI itself replaces in the name of a file. */
const DATE_PARTS: Readonly<Record<string, string>> = {
  ...{ yyyy: '%year%', MM: '%month%', dd: '%day%', hh: '%hour%', mm: '%minute%', ss: '%second%' },
}
const IN_FILE_NAME = /[/?<>\\:*|"\u0000-\u001f\u007f]/g

/**
 * The beginning of a file name: `%KSampler.seed%` is the value of a node, `%date:yyyy-MM-dd%` becomes what ComfyUI replaces
 * with the day of each run. The editor writes the day of the export instead.
 *
 * @param valueOf a widget's value by the node's name and its own.
 */
export function toFilePrefix(
  prefix: string,
  valueOf: (node: string, widget: string) => unknown,
): string {
  return prefix.replace(/%([^%]+)%/g, (whole, inner: string) => {
    if (inner.startsWith('date:')) {
      return inner
        .slice('date:'.length)
        .replace(/yyyy|MM|dd|hh|mm|ss/g, (part) => DATE_PARTS[part] ?? part)
    }
    const [node, widget, ...rest] = inner.split('.')
    if (node === undefined || widget === undefined || rest.length > 0) return whole
    const value = valueOf(node, widget)
    const isPlain = typeof value === 'number' || typeof value === 'boolean'
    const text = isPlain ? String(value) : typeof value === 'string' ? value : ''
    return value === undefined ? whole : text.replace(IN_FILE_NAME, '_')
  })
}
