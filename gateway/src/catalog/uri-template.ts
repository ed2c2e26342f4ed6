/**
 * Does a uri come from a template?
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570
 */

/**
 * Literal parts must be there; an expression stands for anything its operator allows: `{x}` for characters
 * other than `/`, `?` and `#`, `{+x}` and `{#x}` for any, `{/x}`, `{?x}`, `{.x}`, `{;x}` and `{&x}` may be absent.
 */
export function matchesTemplate(template: string, uri: string): boolean {
  const parts = template.split(/(\{[^{}]*\})/)
  const pattern = parts.map((part, index) => (index % 2 === 0 ? literal(part) : expression(part)))
  return new RegExp(`^${pattern.join('')}$`).test(uri)
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function expression(text: string): string {
  const operator = text[1] ?? ''
  if (operator === '+') return '.+'
  if (operator === '#') return '(?:#.*)?'
  if ('./;?&'.includes(operator) && operator !== '') return `(?:\\${operator}[^#]*)?`
  return '[^/?#]+'
}
