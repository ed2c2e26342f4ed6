/** Selects the prompts and resources of a server's lists that can be published. */
import { isObject, splitUriTemplate } from 'ftl-contract'
import type { OtherEntries } from './store.ts'

type Kind = keyof OtherEntries

/** Fields that the gateway checks, the one that tells entries apart first. */
const FIELDS: Record<Kind, readonly [address: string, ...others: string[]]> = {
  prompts: ['name', 'title', 'description', 'arguments', 'icons', '_meta'],
  resources: [
    ...(['uri', 'name', 'title', 'description', 'mimeType'] as const),
    ...['size', 'annotations', 'icons', '_meta'],
  ],
  resourceTemplates: [
    ...(['uriTemplate', 'name', 'title', 'description', 'mimeType'] as const),
    ...['annotations', 'icons', '_meta'],
  ],
}

export const OTHER_KINDS = Object.keys(FIELDS) as Kind[]

const WORDS: Record<Kind, string> = {
  prompts: 'prompts',
  resources: 'resources',
  resourceTemplates: 'resource templates',
}

/** Bytes of all entries of one kind of a server. */
const LIMIT = 1_000_000

export interface UsableEntries<K extends Kind> {
  entries: OtherEntries[K]
  bytes: number
  problems: string[]
  /** How many are not listed for their number or size. */
  leftOut: number
}

/** @param most entries; further ones are left out. */
export function usableEntries<K extends Kind>(
  kind: K,
  list: readonly unknown[],
  most: number,
): UsableEntries<K> {
  const [address] = FIELDS[kind]
  const found = new Map<string, object>()
  const counts = { odd: 0, repeated: 0, leftOut: 0 }
  let bytes = 0
  for (const entry of list) {
    const at = isObject(entry) ? entry[address] : undefined
    if (!isObject(entry) || typeof at !== 'string') counts.odd++
    else if (kind === 'resourceTemplates' && !isSimpleTemplate(at)) counts.odd++
    else if (found.has(at)) counts.repeated++
    else {
      // Some servers write what they do not have as null.
      const fields = FIELDS[kind].filter((field) => (entry[field] ?? undefined) !== undefined)
      const usable = Object.fromEntries(fields.map((field) => [field, entry[field]]))
      // A resource must have a name.
      const named = usable['name'] === undefined ? { ...usable, name: at } : usable
      const size = new TextEncoder().encode(JSON.stringify(named)).length
      if (found.size >= most || bytes + size > LIMIT) counts.leftOut++
      else {
        bytes += size
        found.set(at, named)
      }
    }
  }
  const what = WORDS[kind]
  const problems = [
    ...(counts.odd > 0 ? [`${counts.odd} of its ${what} have no ${address} that can be used`] : []),
    ...(counts.repeated > 0
      ? [`${counts.repeated} of its ${what} have the ${address} of another one of it`]
      : []),
    ...(counts.leftOut > 0
      ? [
          `${counts.leftOut} of its ${what} are left out: it has more than ${most}, or ${LIMIT} bytes`,
        ]
      : []),
  ]
  return {
    entries: [...found.values()] as unknown as OtherEntries[K],
    bytes,
    problems,
    leftOut: counts.leftOut,
  }
}

const MOST_EXPRESSIONS = 10
/** None, one, or a path and its query: a path ends before the `?`. */
const FEW_OPEN = /^(?:\{[^{}]*\})?$|^\{\w+\*\}\{\?[^{}]*\}$/

/**
 * Whether an address is compared with the template in a short time: expressions that may end anywhere are tried at each
 * character, those of one segment with each other.
 */
function isSimpleTemplate(template: string): boolean {
  const parts = splitUriTemplate(template)
  const expressions = parts.filter((_, index) => index % 2 === 1)
  const open = expressions.filter((each) => /^\{[^A-Za-z_]|\*\}$/.test(each)).join('')
  if (expressions.length > MOST_EXPRESSIONS || !FEW_OPEN.test(open)) return false
  let inSegment = 0
  return parts.every((part, index) => {
    if (index % 2 === 1) return ++inSegment <= 2
    if (/[/?#]/.test(part)) inSegment = 0
    return true
  })
}
