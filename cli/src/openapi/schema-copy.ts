/**
 * Schemas of a document as schemas of arguments.
 *
 * The API checks what it gets. So where a document is stricter than its API may mean it, the copy is looser: `oneOf` is
 * `anyOf`, and `not`, `if` and the closing of merged objects are left out. A call is never refused here that the API takes.
 */
import { isArrayOf, isObject, isString, type JsonSchema } from 'ftl-contract'
import { merged } from './schema-merge.ts'
import { type Fields, partsOf, type References } from './references.ts'
import { brief } from './text.ts'

/** Characters of the description of a property. */
const MAX_DESCRIPTION = 240
/** Values of an enum. */
const MAX_ENUM = 300
/** Levels of a schema; below them everything is allowed. */
const MAX_DEPTH = 30

/** Formats of JSON Schema. Others, such as `int32` and `phone-number`, tell a model nothing and some clients warn of them. */
const FORMAT = /^(date|time|date-time|duration|email|hostname|ipv4|ipv6|uri|uri-reference|uuid)$/

const KEPT =
  /^(type|enum|const|default|pattern|(min|max)(Length|Items|Properties|imum)|exclusiveM(in|ax)imum|multipleOf|uniqueItems|contentEncoding|contentMediaType|nullable|deprecated)$/
const PART = /^(items|additionalProperties|propertyNames)$/
const LIST = /^(allOf|anyOf|oneOf|prefixItems)$/
const MAP = /^(properties|patternProperties)$/
const UNSAFE = '__proto__'

export class SchemaCopies {
  /** Copies of what was referred to, by the name in `$defs`. */
  readonly shared = new Map<string, JsonSchema>()
  readonly #names = new Map<string, string>()
  readonly #waiting: [name: string, node: Fields][] = []
  readonly #references: References

  constructor(references: References) {
    this.#references = references
  }

  copy(node: unknown): JsonSchema {
    const copy = this.#copy(node, 0)
    // A list instead of recursion: schemas may refer to each other in a chain of any length.
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      const [name, value] = next
      this.shared.set(name, this.#copy(value, 0))
    }
    return copy
  }

  #copy(node: unknown, depth: number): JsonSchema {
    if (!isObject(node) || depth > MAX_DEPTH) return {}
    if (isString(node['$ref'])) return this.#reference(node, depth)
    const whole = Array.isArray(node['allOf']) ? merged(this.#references, node) : undefined
    if (whole) return this.#copy(whole, depth + 1)
    const copy: JsonSchema = {}
    const description = node['description']
    if (isString(description)) {
      const text = brief(description, MAX_DESCRIPTION)
      if (text !== '') copy['description'] = text
    }
    for (const [name, value] of Object.entries(node)) {
      if (LIST.test(name) && Array.isArray(value)) {
        const to = name === 'oneOf' ? 'anyOf' : name
        const parts = value.map((part) => this.#copy(part, depth + 1))
        copy[to] = [...((copy[to] as unknown[] | undefined) ?? []), ...parts]
      } else if (PART.test(name)) {
        copy[name] = typeof value === 'boolean' ? value : this.#copy(value, depth + 1)
      } else if (MAP.test(name) && isObject(value)) {
        copy[name] = this.#map(name, value, depth)
      } else if (name === 'required' && isArrayOf(value, isString)) {
        const required = value.filter((each) => !this.isReadOnly(memberOf(node, each)))
        if (required.length > 0) copy[name] = required
      } else if (name === 'enum' && Array.isArray(value) && value.length > MAX_ENUM) {
        continue
      } else if (KEPT.test(name) || (name === 'format' && FORMAT.test(String(value)))) {
        copy[name] = value
      }
    }
    return alone(withNull(copy))
  }

  /** Only answers of the API have it. */
  isReadOnly(node: unknown): boolean {
    return this.#references.fields(node)['readOnly'] === true
  }

  #map(name: string, value: Fields, depth: number): JsonSchema {
    const members = Object.entries(value).filter(
      ([key, part]) => key !== UNSAFE && !(name === 'properties' && this.isReadOnly(part)),
    )
    return Object.fromEntries(members.map(([key, part]) => [key, this.#copy(part, depth + 1)]))
  }

  #reference(node: Fields, depth: number): JsonSchema {
    const { value, ref } = this.#references.resolve(node)
    if (ref === undefined || !isObject(value)) return {}
    const described = textBeside(node)
    // What has no parts is shorter, and clearer to a model, where it is used.
    if (isLeaf(value)) return { ...this.#copy(value, depth + 1), ...described }
    const known = this.#names.get(ref)
    if (known !== undefined) return { $ref: `#/$defs/${known}`, ...described }
    const name = this.#nameFor(ref)
    this.#names.set(ref, name)
    this.shared.set(name, {})
    this.#waiting.push([name, value])
    return { $ref: `#/$defs/${name}`, ...described }
  }

  #nameFor(ref: string): string {
    const last = partsOf(ref).at(-1) ?? ''
    const base = last.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 60) || 'schema'
    let name = base === UNSAFE ? 'schema' : base
    for (let count = 2; this.shared.has(name); count++) name = `${base}_${count}`
    return name
  }
}

function memberOf(node: Fields, name: string): unknown {
  const { properties } = node
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
}

function textBeside({ description }: Fields): JsonSchema {
  const text = isString(description) ? brief(description, MAX_DESCRIPTION) : ''
  return text === '' ? {} : { description: text }
}

function isLeaf(value: Fields): boolean {
  return Object.entries(value).every(
    ([name, part]) => !PART.test(name) && !LIST.test(name) && !MAP.test(name) && !isLong(part),
  )
}

/** An enum that is used in many places is shared. */
const isLong = (part: unknown) => Array.isArray(part) && part.length > 20

/** From `nullable` beside an `enum`, the upgrade to OpenAPI 3.1 makes a type with null and an enum without it. */
function withNull(copy: JsonSchema): JsonSchema {
  const { type, enum: values } = copy
  const isNullable = Array.isArray(type) && type.includes('null')
  if (!isNullable || !Array.isArray(values) || values.includes(null)) return copy
  return { ...copy, enum: [...(values as unknown[]), null] }
}

/** `{ "allOf": [x] }`, which generators write for a reference with a description, is `x`. */
function alone(copy: JsonSchema): JsonSchema {
  for (const name of ['allOf', 'anyOf']) {
    const parts = copy[name]
    if (!Array.isArray(parts) || parts.length !== 1 || !isObject(parts[0])) continue
    const { [name]: _, ...rest } = copy
    if (Object.keys(rest).every((each) => each === 'description' || each === 'deprecated')) {
      return { ...parts[0], ...rest }
    }
  }
  return copy
}
