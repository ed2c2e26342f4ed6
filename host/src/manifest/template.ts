/** `{{ name }}` in the values of a manifest. */

export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
}

export type TemplatePart = { text: string } | { variable: string }

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/

/** @throws {ExpressionError} when braces do not match or enclose no name. */
export function parseTemplate(source: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let rest = source
  for (;;) {
    const open = rest.indexOf('{{')
    if (open < 0) break
    const close = rest.indexOf('}}', open)
    if (close < 0) throw new ExpressionError('has "{{" without "}}"')
    const variable = rest.slice(open + 2, close).trim()
    if (!NAME.test(variable)) throw new ExpressionError(`"${variable}" is not a variable's name`)
    if (open > 0) parts.push({ text: rest.slice(0, open) })
    parts.push({ variable })
    rest = rest.slice(close + 2)
  }
  if (rest !== '') parts.push({ text: rest })
  return parts
}
