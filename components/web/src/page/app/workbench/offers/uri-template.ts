/**
 * Fills a URI template (RFC 6570, all levels for text values).
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570
 */

interface Operator {
  first: string
  separator: string
  isNamed: boolean
  /** What follows the name of an empty value. */
  ifEmpty: string
  isReserved: boolean
}

const plain = { isNamed: false, ifEmpty: '', isReserved: false }
const OPERATORS: Record<string, Operator> = {
  '': { ...plain, first: '', separator: ',' },
  '+': { ...plain, first: '', separator: ',', isReserved: true },
  '#': { ...plain, first: '#', separator: ',', isReserved: true },
  '.': { ...plain, first: '.', separator: '.' },
  '/': { ...plain, first: '/', separator: '/' },
  ';': { ...plain, first: ';', separator: ';', isNamed: true },
  '?': { ...plain, first: '?', separator: '&', isNamed: true, ifEmpty: '=' },
  '&': { ...plain, first: '&', separator: '&', isNamed: true, ifEmpty: '=' },
}

/** An operator, names, and how much of each value is used. */
const EXPRESSION = /\{([+#./;?&]?)([\w.%]+(?:(?:\*|:\d{1,4})?,[\w.%]+)*(?:\*|:\d{1,4})?)\}/g

export interface Variable {
  name: string
  /** Whether the URI is another without it, but not an incomplete one: `{?page}`. */
  isOptional: boolean
}

/** Each once, in the order of the template. */
export function variablesOf(template: string): Variable[] {
  const found = new Map<string, Variable>()
  for (const [, operator = '', list = ''] of template.matchAll(EXPRESSION)) {
    for (const { name } of specs(list)) {
      const isOptional = '?&;#'.includes(operator) && operator !== ''
      const known = found.get(name)
      found.set(name, { name, isOptional: isOptional && known?.isOptional !== false })
    }
  }
  return [...found.values()]
}

/** @param values a variable that is missing is left out. */
export function expand(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(EXPRESSION, (_, operator: string, list: string) => {
    const { first, separator, isNamed, ifEmpty, isReserved } = OPERATORS[operator] ?? OPERATORS['']!
    const parts = specs(list).flatMap(({ name, length }) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined
      if (typeof value !== 'string') return []
      const used = length === undefined ? value : [...value].slice(0, length).join('')
      const written = isReserved ? encodeReserved(used) : encode(used)
      if (!isNamed) return [written]
      return [used === '' ? name + ifEmpty : `${name}=${written}`]
    })
    return parts.length === 0 ? '' : first + parts.join(separator)
  })
}

function specs(list: string): { name: string; length?: number }[] {
  return list.split(',').map((spec) => {
    const [name = '', length] = spec.replace(/\*$/, '').split(':')
    return { name, ...(length !== undefined && { length: Number(length) }) }
  })
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed?.() ?? text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Reserved characters and what is encoded already stay as they are. */
function encodeReserved(text: string): string {
  return text
    .split(/(%[0-9a-f]{2}|[:/?#[\]@!$&'()*+,;=])/i)
    .map((part, index) => (index % 2 === 0 ? encode(part) : part))
    .join('')
}
