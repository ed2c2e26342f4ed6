/**
 * What completion knows of a value: its JSON Schema, and the document that its references point into. A schema comes from
 * a component, so only own properties count, and depth and number are limited.
 */
import { asArray, asRecord, text } from '../../net/api.ts'

export interface Shape {
  schema: Record<string, unknown>
  /** The document of `$ref`. */
  root: Record<string, unknown>
}

export interface Member {
  name: string
  shape: Shape
  isRequired: boolean
}

/** References that are followed, one after the other. */
const MOST_STEPS = 16
const MOST_MEMBERS = 500

export function shapeOf(schema: Record<string, unknown>): Shape {
  return { schema, root: schema }
}

/** The schema that a reference points to; a broken or endless one is an empty schema. */
function resolved({ schema, root }: Shape): Shape {
  let at = schema
  for (let step = 0; step < MOST_STEPS; step++) {
    const ref = own(at, '$ref')
    if (typeof ref !== 'string') return { schema: at, root }
    at = target(root, ref)
  }
  return { schema: {}, root }
}

function target(root: Record<string, unknown>, ref: string): Record<string, unknown> {
  if (!ref.startsWith('#')) return {}
  let at: unknown = root
  for (const part of ref.slice(1).split('/').slice(1)) {
    at = own(asRecord(at), part.replaceAll('~1', '/').replaceAll('~0', '~'))
  }
  return asRecord(at)
}

function own(record: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** A schema and those that it is combined of. */
function parts(shape: Shape, depth = 0): Shape[] {
  const whole = resolved(shape)
  if (depth > 4) return [whole]
  const more = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => asArray(own(whole.schema, name)))
  return [
    whole,
    ...more.slice(0, 20).flatMap((schema) => {
      return parts({ schema: asRecord(schema), root: whole.root }, depth + 1)
    }),
  ]
}

export function membersOf(shape: Shape): Member[] {
  const found = new Map<string, Member>()
  for (const { schema, root } of parts(shape)) {
    const required = asArray(own(schema, 'required'))
    for (const [name, value] of Object.entries(asRecord(own(schema, 'properties')))) {
      if (found.size >= MOST_MEMBERS) break
      if (found.has(name)) continue
      const isRequired = required.includes(name)
      found.set(name, { name, shape: { schema: asRecord(value), root }, isRequired })
    }
  }
  return [...found.values()]
}

export function memberOf(shape: Shape, name: string): Shape | undefined {
  return membersOf(shape).find((member) => member.name === name)?.shape
}

/** Of a list. */
export function itemsOf(shape: Shape): Shape | undefined {
  for (const { schema, root } of parts(shape)) {
    const items = asArray(own(schema, 'prefixItems'))[0] ?? own(schema, 'items')
    if (typeof items === 'object' && items !== null) return { schema: asRecord(items), root }
  }
  return undefined
}

/** Values that can be listed, as code. */
export function literalsOf(shape: Shape): string[] {
  const found = parts(shape).flatMap(({ schema }) => {
    if (Object.hasOwn(schema, 'const')) return [schema['const']]
    if (typesOf(schema).includes('boolean')) return [true, false]
    return asArray(own(schema, 'enum'))
  })
  return [...new Set(found.slice(0, MOST_MEMBERS).map(asCode))]
}

export function descriptionOf(shape: Shape): string {
  const { description, title } = resolved(shape).schema
  return text(description) ?? text(title) ?? ''
}

/** A short TypeScript type. */
export function typeOf(shape: Shape, depth = 0): string {
  const literals = literalsOf(shape)
  if (literals.length > 2 || (literals.length > 0 && literals[0] !== 'true')) {
    const shown = literals.slice(0, 6).join(' | ')
    return literals.length > 6 ? `${shown} | …` : shown
  }
  const types = [...new Set(parts(shape).flatMap(({ schema }) => typesOf(schema)))]
  const names = types.map((type) => {
    if (type === 'integer') return 'number'
    if (type === 'object') return '{ … }'
    if (type !== 'array') return type
    const items = itemsOf(shape)
    return items && depth < 3 ? `${typeOf(items, depth + 1)}[]` : 'unknown[]'
  })
  return [...new Set(names)].join(' | ') || 'unknown'
}

function typesOf(schema: Record<string, unknown>): string[] {
  const type = own(schema, 'type')
  if (typeof type === 'string') return [type]
  const list = asArray(type).filter((each) => typeof each === 'string')
  if (list.length > 0) return list
  if (Object.hasOwn(schema, 'properties')) return ['object']
  return Object.hasOwn(schema, 'items') ? ['array'] : []
}

/** JavaScript for a value of JSON; texts in single quotes. */
export function asCode(value: unknown): string {
  const json = JSON.stringify(value) ?? 'undefined'
  if (typeof value !== 'string') return json
  const inside = json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inside}'`
}
