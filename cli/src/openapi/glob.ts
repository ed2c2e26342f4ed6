/** Patterns of users on names of strangers: `*` stands for any text. Reads each text once, so no name makes it slow. */

export function matches(pattern: string, text: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  if (parts.length === 0) return text === pattern
  const last = parts.pop() ?? ''
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
