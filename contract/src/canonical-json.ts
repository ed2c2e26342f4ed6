/**
 * JSON with the properties of each object in order, so that two texts are equal if and only if their values are.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8785
 * @param value parsed JSON. A property that is `undefined` is left out, as `JSON.stringify` does.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = value as Readonly<Record<string, unknown>>
  const names = Object.keys(fields).filter((name) => fields[name] !== undefined)
  // Sorts by UTF-16 code units, as the RFC requires.
  const members = names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(fields[name])}`)
  return `{${members.join()}}`
}
