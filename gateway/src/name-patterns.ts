/** Names with `*`, which matches any text. */

/** Takes time in proportion to the length of both, whatever they contain. */
export function matchesName(pattern: string, name: string): boolean {
  const star = pattern.indexOf('*')
  if (star < 0) return pattern === name
  if (pattern.indexOf('*', star + 1) < 0) {
    // Most have one. It is not split: each request does this for each rule.
    return (
      name.length >= pattern.length - 1 &&
      name.startsWith(pattern.slice(0, star)) &&
      name.endsWith(pattern.slice(star + 1))
    )
  }
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
  for (const pattern of patterns) if (matchesName(pattern, name)) return true
  return false
}
