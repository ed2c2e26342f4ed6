/**
 * The simple form of a schema, for clients that lose a list of tools over references, recursion, formats and patterns.
 *
 * It permits what the published one permits, and more: formats and some patterns become words, and what contains itself ends after
 * one level. Arguments are checked by the published one.
 *
 * @see docs/clients.md, "Agent frameworks"
 */
import { isObject, isString, referred } from 'ftl-contract'
import { MAPS, SCHEMAS } from '../schema/references.ts'

type Schema = Record<string, unknown>

/** Few readers know these. In them, a part that permits more would make the whole permit less. */
const LEFT_OUT =
  /^(\$(schema|defs|comment|anchor)|definitions|not|if|then|else|maxContains|unevaluated(Items|Properties))$/

/**
 * Characters that are written out for the references of one schema, and of all schemas of a list: each reference repeats what
 * it leads to, so 140 KB could become 100 MB.
 */
const LARGEST = 200_000
const LARGEST_LIST = 1_000_000

/** Levels of schemas that are written out. */
const DEEPEST = 40

/** References that lead elsewhere than to a place in the document, or depend on who refers. */
const FOREIGN = /"\$(?:ref":"(?!#(?:\/|"))|dynamicRef"|recursiveRef"|id")/

/** Engines of other languages refuse these. */
const LOOKS_AROUND = /\(\?[=!<]/

/**
 * Makes the simple forms of one list. They are not stored: every call reads the stored catalog, and few clients ask for them.
 *
 * @returns what takes a schema as parsed JSON, and does not change it.
 */
export function simpleSchemas(): (schema: Schema) => Schema {
  let room = LARGEST_LIST
  return (schema) => {
    const writer = new Writer(schema, Math.min(room, LARGEST))
    const simple = writer.whole()
    room -= writer.written
    return simple
  }
}

class Writer {
  readonly #document: Schema
  readonly #room: number
  /** Characters of what references led to. */
  written = 0

  constructor(document: Schema, room: number) {
    this.#document = document
    this.#room = room
  }

  whole(): Schema {
    const document = this.#document
    return FOREIGN.test(JSON.stringify(document)) ? document : this.#simple(document, [])
  }

  /** @param inside the references that led here. */
  #simple(schema: Schema, inside: readonly string[], depth = 0): Schema {
    const { $ref, format, pattern, ...rest } = withoutPlaces(schema)
    if ($ref !== undefined) return this.#inlined(schema, inside, depth)
    const known = Object.entries(rest).filter(([key]) => !LEFT_OUT.test(key))
    const members = known.map(([key, value]): [string, unknown] => {
      if (MAPS.test(key) && isObject(value)) {
        const below = Object.entries(value)
        return [
          key,
          Object.fromEntries(below.map(([name, each]) => [name, this.#below(each, inside, depth)])),
        ]
      }
      if (!SCHEMAS.test(key)) return [key, value]
      return Array.isArray(value)
        ? [key, value.map((each) => this.#below(each, inside, depth))]
        : [key, this.#below(value, inside, depth)]
    })
    const said = [
      ...(isString(format) ? [`Format: ${format}.`] : []),
      ...(isString(pattern) && LOOKS_AROUND.test(pattern) ? [`Must match ${pattern}`] : []),
    ]
    const kept = isString(pattern) && !LOOKS_AROUND.test(pattern) ? { pattern } : {}
    return describedBy(said, merged({ ...Object.fromEntries(members), ...kept }))
  }

  #below(value: unknown, inside: readonly string[], depth: number): unknown {
    return isObject(value) ? this.#simple(value, inside, depth + 1) : value
  }

  #inlined(schema: Schema, inside: readonly string[], depth: number): Schema {
    const { $ref, ...beside } = schema
    const ref = String($ref)
    const target = referred(this.#document, ref)
    if (!isObject(target)) return beside
    const isTooMuch = this.written > this.#room || depth > DEEPEST
    if (!inside.includes(ref) && !isTooMuch) {
      this.written += JSON.stringify(target).length
      return { ...this.#simple(target, [...inside, ref], depth + 1), ...notes(beside) }
    }
    const name = ref.slice(ref.lastIndexOf('/') + 1) || 'the whole'
    const { type, nullable } = target
    return describedBy([`It has the same form as ${name} again.`], {
      ...(isString(type) && nullable !== true ? { type } : ANY),
      ...notes(beside),
    })
  }
}

/** Readers of other languages know no schema without a type. */
const ANY = {
  anyOf: ['string', 'number', 'boolean', 'object', 'array', 'null'].map((type) => ({ type })),
}

function notes({ title, description, default: usual }: Schema): Schema {
  return {
    ...(isString(title) && { title }),
    ...(isString(description) && { description }),
    ...(usual !== undefined && { default: usual }),
  }
}

/** A list whose items have a form each: readers of other languages take all to have the first. */
function withoutPlaces(schema: Schema): Schema {
  const { prefixItems, items, ...rest } = schema
  if (!Array.isArray(prefixItems)) return schema
  const first: unknown[] = prefixItems
  const isClosed = items === false || (rest.maxItems as number) <= first.length
  const forms = isClosed ? first : [...first, items]
  // Further items may be anything if nothing is said of them.
  const isKnown = forms.every(isObject) && (isClosed || Object.keys(items as Schema).length > 0)
  return { ...rest, items: isKnown ? { anyOf: forms } : {} }
}

/** A combination of one, which is that one, and `oneOf`, which fewer readers know than `anyOf`. */
function merged(schema: Schema): Schema {
  const { oneOf, ...rest } = schema
  // Of two lists of forms, one is enough: it permits more.
  const renamed = oneOf === undefined || rest.anyOf !== undefined ? rest : { ...rest, anyOf: oneOf }
  for (const key of ['anyOf', 'allOf']) {
    const { [key]: list, ...others } = renamed
    if (!Array.isArray(list) || list.length !== 1 || !isObject(list[0])) continue
    const [only] = list as [Schema]
    if (Object.keys(only).some((name) => name !== 'description' && name in others)) continue
    return { ...only, ...others }
  }
  return renamed
}

function describedBy(said: readonly string[], schema: Schema): Schema {
  if (said.length === 0) return schema
  const { description } = schema
  const texts = isString(description) && description !== '' ? [description, ...said] : said
  return { ...schema, description: texts.join(' ') }
}
