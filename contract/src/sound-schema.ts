/**
 * JSON Schemas of strangers, in a form that every client can compile.
 *
 * Authors write older drafts, OpenAPI 3.0 and expressions of other languages, and one such schema costs some clients the
 * whole list of tools. What means the same in JSON Schema is translated. What means nothing is removed so that the rest
 * allows at least what the whole one does.
 *
 * @see https://json-schema.org/draft/2020-12
 */
import { withNull } from './nullable.ts'
import {
  hasOldTuples,
  isOlder,
  movedReference,
  NEWEST,
  withAnchor,
  withNumbers,
  withoutFurtherItems,
  withPrefixItems,
  withRequired,
} from './older-drafts.ts'
import { portablePattern } from './portable-pattern.ts'
import { type Places, placesOf, targetOf } from './schema-places.ts'
import type { JsonSchema } from './tool.ts'
import { isArrayOf, isObject, isString, memberOf } from './values.ts'

/** A schema that can be checked, and what that has cost. */
export interface SoundSchema {
  /** The same object if nothing had to be changed. */
  schema: JsonSchema
  /** What was removed although it may have meant something: `pattern "(?<=" is not a regular expression`. */
  lost: string[]
}

/** Characters of a value in a message. */
const SHOWN = 60
const MAX_TURNS = 8

/** @param options `ofResults`: without what clients check in another way than the server that wrote it. @default false */
export function soundSchema(schema: JsonSchema, { ofResults = false } = {}): SoundSchema {
  const lost: string[] = []
  // What a reference leads to may have been removed or moved: read again until nothing changes.
  for (let turns = 0; turns < MAX_TURNS; turns++) {
    const reader = new Reader(schema, ofResults)
    const sound = reader.read(schema, schema)
    // Not spread: an argument list of its length can be too long for the stack.
    for (const each of reader.lost) lost.push(each)
    if (sound === schema) break
    schema = sound
  }
  return { schema, lost }
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']
/** Names that other languages have for them. */
const OTHER_TYPES: Readonly<Record<string, string>> = {
  ...{ str: 'string', text: 'string', int: 'integer', long: 'integer', float: 'number' },
  ...{ double: 'number', bool: 'boolean', list: 'array', tuple: 'array', dict: 'object' },
  ...{ map: 'object', none: 'null' },
}
const DIALECT = /^https?:\/\/json-schema\.org\/draft(-0[67]|\/2019-09|\/2020-12)\/schema#?$/
const ANCHOR = /^[A-Za-z_][-A-Za-z0-9._]*$/

const COUNT = /^(min|max)(Length|Items|Properties|Contains)$/
const LIMIT = /^(exclusiveM|m)(in|ax)imum$/
const PART =
  /^(not|if|then|else|contains|propertyNames|(additional|unevaluated)(Items|Properties)|contentSchema)$/
const LIST = /^((all|any|one)Of|prefixItems)$/
const MAP = /^((patternP|p)roperties|\$defs|definitions|dependentSchemas|dependencies)$/
const TEXT = /^(\$id|\$comment|title|description|format|content(Encoding|MediaType))$/
const FLAG = /^(deprecated|(read|write)Only)$/
const VALUE = /^(const|default|enum|example)$/
/** Its members may be lists of names. */
const NAMES = /^dependencies$/
/** A looser part of these makes the whole stricter. */
const ALL_OR_NOTHING = /^(not|if|oneOf|contains)$/
/** These refuse what other keywords do not know. */
const OF_THE_REST = ['additionalItems', 'unevaluatedItems', 'unevaluatedProperties']

class Reader {
  readonly lost: string[] = []
  readonly #places: Places

  readonly #ofResults: boolean
  readonly #isOlder: boolean
  /** Tuples become those of 2020-12. */
  readonly #hasOldTuples: boolean
  /** What allows more there makes the whole stricter. */
  #isInNot = false
  /** A word on items changes nothing. */
  readonly #saysItems: boolean

  constructor(root: JsonSchema, ofResults: boolean) {
    this.#ofResults = ofResults
    this.#places = placesOf(root)
    this.#saysItems =
      !ofResults &&
      ![...this.#places.schemas].some((each) => memberOf(each, 'unevaluatedItems') !== undefined)
    this.#isOlder = isOlder(root)
    this.#hasOldTuples = hasOldTuples(root, this.#places, ofResults)
  }

  /** @param base the schema with an address of its own that this one is part of. */
  read(schema: JsonSchema, base: JsonSchema): JsonSchema {
    if (this.#places.resources.has(schema)) base = schema
    const before = this.lost.length
    const { nullable } = schema
    const members: [string, unknown][] = []
    let isChanged = false
    for (const [name, value] of Object.entries(this.#translated(schema))) {
      const known = this.lost.length
      const wasInNot = this.#isInNot
      this.#isInNot ||= name === 'not'
      let sound = this.#member(name, value, base)
      this.#isInNot = wasInNot
      if (this.lost.length > known && ALL_OR_NOTHING.test(name)) sound = undefined
      isChanged ||= sound !== schema[name] || !Object.hasOwn(schema, name)
      if (sound !== undefined) members.push([name, sound])
    }
    isChanged ||= Object.keys(schema).length !== members.length
    const isLoose = this.lost.length > before
    if (!isChanged && !isLoose && nullable === undefined) return schema
    const sound: JsonSchema = Object.fromEntries(members)
    if (isLoose) for (const name of OF_THE_REST) delete sound[name]
    if (isLoose && schema['patternProperties'] !== undefined) delete sound['additionalProperties']
    if (isLoose && sound['prefixItems'] !== undefined) delete sound['items']
    if (sound['if'] === undefined) for (const name of ['then', 'else']) delete sound[name]
    return nullable === true ? withNull(sound) : sound
  }

  #translated(schema: JsonSchema): JsonSchema {
    const told = withRequired(withNumbers(schema))
    const placed = this.#isOlder ? told : withAnchor(told)
    const newest = this.#hasOldTuples ? withPrefixItems(placed) : placed
    const said = this.#saysItems ? withItems(newest) : newest
    return this.#ofResults && !this.#isInNot ? withoutFurtherItems(said) : said
  }

  /** @returns `undefined` to leave it out. */
  #member(name: string, value: unknown, base: JsonSchema): unknown {
    if (VALUE.test(name)) {
      if (name !== 'enum') return value
      return Array.isArray(value) && value.length > 0 ? once(value) : this.#lose(name, value)
    }
    // What has no value is not there: serializers of several languages write it so.
    if (value === null) return name.startsWith('x-') ? value : undefined
    if (name === 'format' && this.#ofResults) return undefined
    if (/^(nullable|id|\$async|\$vocabulary)$/.test(name)) return
    if (name === 'type') return this.#type(value)
    if (/^\$((dynamic|recursive)R|r)ef$/.test(name)) {
      if (!isString(value) || !targetOf(this.#places, base, value)) {
        return this.#lose(name, value, 'leads nowhere')
      }
      return this.#hasOldTuples ? movedReference(this.#places, base, value) : value
    }
    if (name === '$schema') {
      const isKept = value === NEWEST || !this.#hasOldTuples
      return isString(value) && DIALECT.test(value) && isKept ? value : undefined
    }
    if (name === '$recursiveAnchor') return this.#isOlder ? value : undefined
    if (/^\$(dynamicA|a)nchor$/.test(name)) {
      return isString(value) && ANCHOR.test(value) ? value : this.#lose(name, value)
    }
    if (TEXT.test(name)) return isString(value) ? value : undefined
    if (FLAG.test(name)) return typeof value === 'boolean' ? value : undefined
    if (name === 'examples') {
      // An object has the examples of OpenAPI, by their names.
      return Array.isArray(value) ? value : isObject(value) ? undefined : [value]
    }
    if (name === 'pattern') return this.#pattern(value)
    if (name === 'required') {
      // Of draft 3: see `withRequired`.
      if (typeof value === 'boolean') return
      if (!Array.isArray(value)) return this.#lose(name, value)
      return value.every(isString) ? once(value) : once(value.filter(isString))
    }
    if (name === 'uniqueItems') return typeof value === 'boolean' ? value : this.#lose(name, value)
    if (COUNT.test(name)) {
      return Number.isInteger(value) && (value as number) >= 0 ? value : this.#lose(name, value)
    }
    if (LIMIT.test(name) || name === 'multipleOf') {
      const fits = Number.isFinite(value) && (name !== 'multipleOf' || (value as number) > 0)
      return fits ? value : this.#lose(name, value)
    }
    if (PART.test(name)) return this.#part(name, value, base) ?? undefined
    if (LIST.test(name) || (name === 'items' && Array.isArray(value))) {
      return Array.isArray(value) && value.length > 0
        ? unchanged(value, (part) => this.#part(name, part, base) ?? {})
        : this.#lose(name, value)
    }
    if (name === 'items') return this.#part(name, value, base)
    if (MAP.test(name)) return this.#map(name, value, base)
    if (name === 'dependentRequired') {
      const fits =
        isObject(value) && Object.values(value).every((names) => isArrayOf(names, isString))
      return fits ? membersOnce(value as Record<string, string[]>) : this.#lose(name, value)
    }
    return value
  }

  #type(value: unknown): unknown {
    const nameOf = (type: unknown): string | undefined => {
      const name = isString(type) ? type.toLowerCase() : ''
      if (TYPES.includes(name)) return name
      return Object.hasOwn(OTHER_TYPES, name) ? OTHER_TYPES[name] : undefined
    }
    if ([value].flat().includes('any')) return undefined
    if (!Array.isArray(value)) return nameOf(value) ?? this.#lose('type', value)
    const names = value.map(nameOf)
    if (names.length === 0 || names.includes(undefined)) return this.#lose('type', value)
    return names.every((name, index) => name === value[index]) ? value : [...new Set(names)]
  }

  #pattern(value: unknown): string | undefined {
    const pattern = isString(value) ? portablePattern(value) : undefined
    return pattern ?? this.#lose('pattern', value, 'is not a regular expression here')
  }

  #part(name: string, value: unknown, base: JsonSchema): unknown {
    if (typeof value === 'boolean') return value
    return isObject(value) ? this.read(value, base) : this.#lose(name, value, 'must be a schema')
  }

  #map(name: string, value: unknown, base: JsonSchema): unknown {
    if (!isObject(value)) return this.#lose(name, value)
    const isOfPatterns = name === 'patternProperties'
    let isChanged = false
    const members = Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
      const isNames = NAMES.test(name) && Array.isArray(part) && part.every(isString)
      const sound = isNames ? once(part) : (this.#part(name, part, base) ?? {})
      const shown = isOfPatterns ? this.#pattern(key) : key
      isChanged ||= sound !== part || shown !== key
      return shown === undefined ? [] : [[shown, sound]]
    })
    return isChanged ? Object.fromEntries(members) : value
  }

  #lose(name: string, value: unknown, problem = 'is not valid'): undefined {
    const text = JSON.stringify(value) ?? ''
    const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
    this.lost.push(`${name} ${shown} ${problem}`)
  }
}

function unchanged(list: readonly unknown[], read: (part: unknown) => unknown): readonly unknown[] {
  const sound = list.map(read)
  return sound.every((part, index) => part === list[index]) ? list : sound
}

/** Without repetitions, and the same list where nothing repeats. Several readers refuse a schema for one. */
function once<T>(list: readonly T[]): readonly T[] {
  const values = new Set(list)
  return values.size === list.length ? list : [...values]
}

function membersOnce(lists: Readonly<Record<string, readonly string[]>>): object {
  const entries = Object.entries(lists)
  return entries.every(([, list]) => once(list) === list)
    ? lists
    : Object.fromEntries(entries.map(([name, list]) => [name, once(list)]))
}

/**
 * A list of anything says so. OpenAI refuses a request, with all of its tools, for one that does not ("array schema missing
 * items"). The gateway does the same for all tools, but not in schemas with references into their own members.
 *
 * @see https://github.com/microsoft/vscode/issues/244467
 */
function withItems(schema: JsonSchema): JsonSchema {
  const { type, items } = schema
  const isBare = items === undefined && [type].flat().includes('array')
  return isBare ? { ...schema, items: {} } : schema
}
