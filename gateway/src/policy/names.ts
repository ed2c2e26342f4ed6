/** Names with `*`, which matches any text. */

/** Takes time in proportion to the length of both, whatever they contain. */
export function matchesName(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop() ?? ''
  const end = name.length - last.length
  if (first.length > end || !name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= end
}

export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesName(pattern, name))
}
