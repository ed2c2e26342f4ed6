/**
 * Writes JSON Schemas as TypeScript types.
 *
 * A type accepts every value that its schema accepts, and as few others as TypeScript can express: what it cannot express
 * (lengths, patterns, `not`, `if`) widens the type. There are two exceptions, both as an author means it: a schema with
 * `properties` describes an object, and further properties are declared only if the schema states them.
 *
 * Size and depth are bounded: beyond a bound the type is `unknown`.
 */
import { isArrayOf, isNested, isObject, isString, type JsonSchema, referred } from 'ftl-contract'
import { comment, memberName, remarks, stringLiteral } from './text.ts'
import { TypeNames } from './type-names.ts'

/** Levels of nested types. */
const DEPTH = 10
/** Schemas of one tool that are read: references can make a short schema expand without end. */
const MOST_SCHEMAS = 1_500
const MOST_PROPERTIES = 150
const MOST_ALTERNATIVES = 60

/** Where in the schema the writer is. */
interface Place {
  /** The schema that `#` refers to. */
  root: JsonSchema
  depth: number
  indent: string
  /** The named type whose text this is. @default none */
  within?: string | undefined
}

export class TypeWriter {
  readonly #names: TypeNames
  #schemas = 0

  /** @param names of types; shared by the tools of one text. */
  constructor(names = new TypeNames()) {
    this.#names = names
  }

  /** @param prefix begins the names of the types that the schema refers to. */
  typeOf(schema: JsonSchema, prefix: string, indent = ''): string {
    this.#names.prefix = prefix
    this.#schemas = 0
    return this.#type(schema, { root: schema, depth: 0, indent })
  }

  #type(schema: unknown, place: Place): string {
    if (schema === false) return 'never'
    if (!isObject(schema) || place.depth > DEPTH || ++this.#schemas > MOST_SCHEMAS) return 'unknown'
    const at =
      isString(schema.$id) && !schema.$id.startsWith('#') ? { ...place, root: schema } : place
    const parts = this.#parts(schema, at).filter((part) => part !== 'unknown')
    if (parts.includes('never')) return 'never'
    const type = intersection([...new Set(parts)])
    return schema.nullable === true && schema.type !== undefined ? union([type, 'null']) : type
  }

  /** A type of each keyword. A value has to match all of them. */
  #parts(schema: JsonSchema, place: Place): string[] {
    const { $ref, anyOf, oneOf, allOf } = schema
    const parts: string[] = []
    if (isString($ref)) {
      parts.push(this.#reference($ref, place))
      // Up to draft 7 everything beside a $ref is ignored.
      if (/draft-0[3-7]/.test(String(place.root.$schema))) return parts
    }
    if (Object.hasOwn(schema, 'const')) parts.push(literal(schema.const))
    else if (Array.isArray(schema.enum)) parts.push(literals(schema.enum))
    else parts.push(this.#typed(schema, place))
    for (const list of [anyOf, oneOf]) {
      if (Array.isArray(list)) parts.push(this.#anyOf(list, place))
    }
    if (Array.isArray(allOf)) {
      for (const each of allOf.slice(0, MOST_ALTERNATIVES))
        parts.push(this.#type(each, deeper(place)))
    }
    return parts
  }

  #anyOf(list: unknown[], place: Place): string {
    if (list.length > MOST_ALTERNATIVES) return 'unknown'
    return union(list.map((each) => this.#type(each, deeper(place))))
  }

  #typed(schema: JsonSchema, place: Place): string {
    const { type } = schema
    if (Array.isArray(type)) return union(type.map((each) => this.#ofType(each, schema, place)))
    if (type !== undefined) return this.#ofType(type, schema, place)
    if (isObject(schema.properties) || isObject(schema.patternProperties))
      return this.#object(schema, place)
    if (isArrayOf(schema.required, isString)) return this.#object(schema, place)
    if (isObject(schema.items) || Array.isArray(schema.prefixItems))
      return this.#array(schema, place)
    return 'unknown'
  }

  #ofType(type: unknown, schema: JsonSchema, place: Place): string {
    switch (type) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return type
      case 'integer':
        return 'number'
      case 'array':
        return this.#array(schema, place)
      case 'object':
        return this.#object(schema, place)
      default:
        return 'unknown'
    }
  }

  #array(schema: JsonSchema, place: Place): string {
    const { prefixItems, items, additionalItems, minItems } = schema
    const below = { ...deeper(place), within: undefined }
    const isTuple = Array.isArray(prefixItems) || Array.isArray(items)
    if (!isTuple) {
      const item = this.#type(items ?? true, below)
      return item === 'never' ? '[]' : `${grouped(item)}[]`
    }
    const first = (Array.isArray(prefixItems) ? prefixItems : items) as unknown[]
    if (first.length > MOST_ALTERNATIVES) return 'unknown[]'
    const rest = this.#type((Array.isArray(prefixItems) ? items : additionalItems) ?? true, below)
    const least = typeof minItems === 'number' ? minItems : 0
    const members = first.map((each, index) => {
      const member = this.#type(each, below)
      return index < least ? member : `${grouped(member)}?`
    })
    return `[${[...members, ...(rest === 'never' ? [] : [`...${grouped(rest)}[]`])].join(', ')}]`
  }

  #object(schema: JsonSchema, place: Place): string {
    const indent = `${place.indent}  `
    const below = { ...deeper(place), within: undefined, indent }
    const properties = isObject(schema.properties) ? schema.properties : {}
    const required = isArrayOf(schema.required, isString) ? schema.required : []
    const names = [...new Set([...Object.keys(properties), ...required])]
    if (names.length > MOST_PROPERTIES) return '{ [key: string]: unknown }'
    const types: string[] = []
    const members = names.map((name) => {
      const property: unknown = Object.hasOwn(properties, name) ? properties[name] : true
      const mark = required.includes(name) ? '' : '?'
      // Every object has a `constructor`, so the compiler would compare that.
      const type = mark && name in Object.prototype ? 'unknown' : this.#type(property, below)
      types.push(type, ...(mark === '' ? [] : ['undefined']))
      const head = isObject(property) ? comment(remarks(property), indent) : ''
      return `${head}${indent}${memberName(name)}${mark}: ${type}`
    })
    const others = this.#others(schema, below)
    if (others !== undefined) members.push(`${indent}[key: string]: ${union([others, ...types])}`)
    if (members.length > 0) return `{\n${members.join('\n')}\n${place.indent}}`
    return schema.additionalProperties === false
      ? '{ [key: string]: never }'
      : '{ [key: string]: unknown }'
  }

  /** The type of properties that have no name in the schema; `undefined` if it states none. */
  #others(
    { additionalProperties, patternProperties }: JsonSchema,
    below: Place,
  ): string | undefined {
    const patterns = isObject(patternProperties) ? Object.values(patternProperties) : []
    const stated = additionalProperties === true || isObject(additionalProperties)
    const schemas = stated ? [...patterns, additionalProperties] : patterns
    if (schemas.length === 0 || schemas.length > MOST_ALTERNATIVES) return undefined
    return union(schemas.map((each) => this.#type(each, below)))
  }

  /** The name of the type that a reference leads to: so one that contains itself has a type. */
  #reference(ref: string, place: Place): string {
    const target = referred(place.root, ref)
    if (target === false) return 'never'
    if (!isObject(target)) return 'unknown'
    const name = this.#names.of(target, ref, (own) =>
      this.#type(target, { ...place, depth: place.depth + 1, indent: '', within: own }),
    )
    if (name === undefined) return 'unknown'
    return this.#names.mayBe(place.within, name) ? name : 'unknown'
  }
}

function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 }
}

/** Characters of one literal. */
const LONGEST_LITERAL = 200

function literals(values: unknown[]): string {
  if (values.length <= MOST_ALTERNATIVES) return union(values.map((value) => literal(value)))
  const types = new Set(values.map((value) => (value === null ? 'null' : typeof value)))
  types.delete('object')
  return [...types].length > 0 && !values.some(isNested) ? union([...types]) : 'unknown'
}

function literal(value: unknown, depth = 0): string {
  if (isString(value)) return value.length > LONGEST_LITERAL ? 'string' : stringLiteral(value)
  if (value === null || typeof value === 'boolean') return String(value)
  // -0 is 0, and an infinite number cannot be written.
  if (typeof value === 'number') return Number.isFinite(value) ? String(value + 0) : 'number'
  if (depth > 3) return 'unknown'
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, depth + 1)).join(', ')}]`
  const members = Object.entries(value as object)
    .slice(0, MOST_PROPERTIES)
    .map(([name, member]) => `${memberName(name)}: ${literal(member, depth + 1)}`)
  return members.length > 0 ? `{ ${members.join('; ')} }` : '{ [key: string]: never }'
}

function union(types: readonly string[]): string {
  const all = [...new Set(types)].filter((type) => type !== 'never')
  if (all.includes('unknown')) return 'unknown'
  return all.length > 0 ? all.map(inUnion).join(' | ') : 'never'
}

function intersection(types: readonly string[]): string {
  return types.length > 0
    ? types.map((type) => (types.length > 1 ? grouped(type) : type)).join(' & ')
    : 'unknown'
}

function inUnion(type: string): string {
  return type.includes(' & ') ? `(${type})` : type
}

/** In parentheses, if something behind or beside it would bind to a part of it. */
function grouped(type: string): string {
  return / [|&] /.test(type) ? `(${type})` : type
}
