/** Removes hidden characters from an entry of a component's description. */
import { isObject, isString } from 'ftl-contract'
import { withEscapes, withoutHidden } from './hidden-characters.ts'

/** A name or value has hidden characters: without them it would be another one. The message is safe to show. */
export class HiddenInName extends Error {
  override readonly name = 'HiddenInName'
}

/** Fields whose strings are names and values that come back to the component. */
const NAMING: ReadonlySet<string> = new Set(['uri', 'uriTemplate', 'enum', 'const'])

/** Fields whose strings are regular expressions, which must keep their meaning. */
const PATTERN = 'pattern'
const PATTERN_PROPERTIES = 'patternProperties'

/** @returns the same object if nothing is to be removed. @throws {HiddenInName} */
export function cleanEntry<T extends object>(entry: T): T {
  return clean(entry, '') as T
}

function clean(value: unknown, field: string): unknown {
  if (isString(value)) return cleanText(value, field)
  if (Array.isArray(value)) {
    const items = value.map((item) => clean(item, field))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isObject(value)) return value
  let isChanged = false
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    const shown = field === PATTERN_PROPERTIES ? withEscapes(name) : cleanText(name, 'const')
    const cleaned = clean(member, name)
    isChanged ||= shown !== name || cleaned !== member
    return [shown, cleaned]
  })
  return isChanged ? Object.fromEntries(members) : value
}

function cleanText(text: string, field: string): string {
  if (field === PATTERN) return withEscapes(text)
  const cleaned = withoutHidden(text)
  if (cleaned === text || !NAMING.has(field)) return cleaned
  throw new HiddenInName(`"${cleaned.slice(0, 100)}" must not have hidden characters`)
}
