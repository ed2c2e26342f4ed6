/** Constants in a schema: several of them are an `enum`, and each has its type. */
import { canonicalJson, isObject } from 'ftl-contract'

type Schema = Record<string, unknown>

/** A form of constants only, all of one type. */
interface Constants {
  type: string
  values: unknown[]
}

/** `anyOf` and `oneOf` of constants become `enum`; other forms beside them stay. */
export function withEnum(schema: Schema): Schema {
  const key = schema.anyOf === undefined ? 'oneOf' : 'anyOf'
  const forms = schema[key]
  if (!Array.isArray(forms)) return schema
  const joined = joinedForms(forms, key === 'oneOf')
  if (joined.length === forms.length && joined.length > 1) return schema
  const { [key]: _, ...rest } = schema
  const [only] = joined
  const isAlone = joined.length === 1 && isObject(only) && constantsIn(only) !== undefined
  if (!isAlone) return joined.length < forms.length ? { ...schema, [key]: joined } : schema
  // What stands beside would be another rule of the same name.
  const { type = only.type } = rest
  const isFree = rest.enum === undefined && rest.const === undefined && type === only.type
  return isFree ? { ...rest, ...only } : { ...schema, [key]: joined }
}

/** In `oneOf` a value must have exactly one form, so only different constants can be joined. */
function joinedForms(forms: readonly unknown[], areExclusive: boolean): unknown[] {
  const places = new Map<string, { place: number; values: Map<string, unknown> }>()
  const joined: unknown[] = []
  for (const form of forms) {
    const found = isObject(form) ? constantsIn(form) : undefined
    const known = found && places.get(found.type)
    if (!found || !known) {
      if (found) {
        const values = new Map(found.values.map((value) => [canonicalJson(value), value]))
        places.set(found.type, { place: joined.length, values })
      }
      joined.push(form)
      continue
    }
    for (const value of found.values) {
      const text = canonicalJson(value)
      if (areExclusive && known.values.has(text)) return [...forms]
      known.values.set(text, value)
    }
    joined[known.place] = { type: found.type, enum: [...known.values.values()] }
  }
  return joined
}

/** Words about a constant would be lost, so a form with such is left alone; and so is `null`, which is a type already. */
function constantsIn({ type, ...rest }: Schema): Constants | undefined {
  const [key, ...others] = Object.keys(rest)
  const values = key === 'enum' ? rest.enum : key === 'const' ? [rest.const] : undefined
  if (others.length > 0 || !Array.isArray(values) || values.length === 0) return undefined
  const own = typeOf(values)
  if (own === undefined || own === 'null') return undefined
  if (type === undefined || type === own) return { type: own, values }
  return type === 'number' && own === 'integer' ? { type, values } : undefined
}

/** A constant, or several of one type, without a type. */
export function withTypeOfValues(schema: Schema): Schema {
  if (schema.type !== undefined) return schema
  const values = 'const' in schema ? [schema.const] : schema.enum
  const type = Array.isArray(values) ? typeOf(values) : undefined
  return type === undefined ? schema : { type, ...schema }
}

/** The one type of these values. */
function typeOf(values: readonly unknown[]): string | undefined {
  const types = new Set(values.map(typeOfValue))
  if (types.has('number')) types.delete('integer')
  const [type] = types
  return types.size === 1 ? type : undefined
}

export function typeOfValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
