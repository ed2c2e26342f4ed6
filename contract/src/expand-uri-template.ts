/**
 * URI templates: the URI of a template and values for its variables (RFC 6570, all levels for text values).
 *
 * Apart from `uri-template.ts`, because a tool only reads URIs, and from `index.ts`, because the page loads it with the view that
 * needs it: what the entry names would be in the first load.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570
 */
import { splitUriTemplate } from './uri-template.ts'

/** What begins the values of an expression, and what separates them. */
const OPERATORS: Readonly<Record<string, readonly [first: string, separator: string]>> = {
  '+': ['', ','],
  '#': ['#', ','],
  '.': ['.', '.'],
  '/': ['/', '/'],
  ';': [';', ';'],
  '?': ['?', '&'],
  '&': ['&', '&'],
}

/** An operator, and names with how much of each value is used. */
const EXPRESSION = /^\{([+#./;?&]?)([\w.%]+(?:(?:\*|:\d{1,4})?,[\w.%]+)*(?:\*|:\d{1,4})?)\}$/

/** A variable of a URI template. */
export interface TemplateVariable {
  name: string
  /** Whether the URI is another without it, but not an incomplete one: `{?page}`. */
  isOptional: boolean
}

/** The variables of a URI template: each once, in the order of the template. */
export function variablesOfUriTemplate(template: string): TemplateVariable[] {
  const found = new Map<string, TemplateVariable>()
  for (const part of splitUriTemplate(template)) {
    const { operator, variables } = parseExpression(part) ?? { operator: '', variables: [] }
    for (const { name } of variables) {
      const isOptional = /[?&;#]/.test(operator)
      const known = found.get(name)
      found.set(name, { name, isOptional: isOptional && known?.isOptional !== false })
    }
  }
  return [...found.values()]
}

/**
 * Fills a URI template. An expression that is not of the RFC stays as it is.
 *
 * @param values a variable that is missing is left out.
 */
export function expandUriTemplate(
  template: string,
  values: Readonly<Record<string, unknown>>,
): string {
  const parts = splitUriTemplate(template).map((part) => {
    const expression = parseExpression(part)
    return expression ? filled(expression, values) : part
  })
  return parts.join('')
}

interface Expression {
  operator: string
  variables: { name: string; length: number | undefined }[]
}

function parseExpression(part: string): Expression | undefined {
  const [, operator = '', list] = EXPRESSION.exec(part) ?? []
  const variables = list?.split(',').map((text) => {
    const [name = '', length] = text.replace(/\*$/, '').split(':')
    return { name, length: length === undefined ? undefined : Number(length) }
  })
  return variables && { operator, variables }
}

function filled(
  { operator, variables }: Expression,
  values: Readonly<Record<string, unknown>>,
): string {
  const [first, separator] = OPERATORS[operator] ?? ['', ',']
  const parts = variables.flatMap(({ name, length }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (typeof value !== 'string') return []
    const used = length === undefined ? value : [...value].slice(0, length).join('')
    const written = /[+#]/.test(operator) ? encodeReserved(used) : encode(used)
    if (!/[;?&]/.test(operator)) return [written]
    // Of an empty value, `;` has the name alone.
    return [used === '' && operator === ';' ? name : `${name}=${written}`]
  })
  return parts.length === 0 ? '' : first + parts.join(separator)
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
