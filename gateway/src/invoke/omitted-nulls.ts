/**
 * `null` for an argument that was left out: some clients send it for each optional one, so that no call of theirs with
 * such an argument would be valid.
 */
import { isNested, isObject, type JsonSchema, referred } from 'ftl-contract'
import {
  type ArgumentError,
  type ArgumentValidator,
  schemaValidator,
} from './argument-validator.ts'

type Arguments = Record<string, unknown>

/** @returns the arguments as the tool receives them, or every rule broken. @throws {UnusableSchema} */
export function checkedArguments(
  schema: JsonSchema,
  args: Arguments,
  validator: ArgumentValidator = schemaValidator,
): { args: Arguments } | { errors: ArgumentError[] } {
  const errors = validator.validate(schema, args)
  if (errors.length === 0) return { args }
  const meant = withoutNulls(schema, args)
  if (meant === args) return { errors }
  const left = validator.validate(schema, meant)
  if (left.length === 0) return { args: meant }
  // A required one is said to be of the wrong type, as it was sent, and not to be absent.
  return { errors: left.map((error) => errors.find(({ path }) => path === error.path) ?? error) }
}

/**
 * Leaves out each `null` of a property whose schema does not allow it, in nested objects too.
 *
 * @returns the same object if it has no such value.
 */
export function withoutNulls(schema: JsonSchema, args: Arguments): Arguments {
  return new Omission(schema).object([schema], args)
}

/** Schemas that are read for one call: references can multiply them. */
const MOST_SCHEMAS = 20_000

/** Levels of forms in forms; a schema may refer to itself. */
const DEEPEST = 64

class Omission {
  readonly #root: JsonSchema
  #left = MOST_SCHEMAS

  constructor(root: JsonSchema) {
    this.#root = root
  }

  object(schemas: readonly unknown[], value: Arguments): Arguments {
    const forms = this.#formsOf(schemas)
    let isChanged = false
    const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      const declared = forms.flatMap(({ properties }) =>
        isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [],
      )
      // One that no schema declares is the caller's own, and may be an entry of a record.
      const isOmitted =
        member === null && declared.length > 0 && !declared.some((each) => this.#allowsNull(each))
      const kept = isOmitted ? undefined : this.#any(declared, member)
      isChanged ||= kept !== member
      return isOmitted ? [] : [[key, kept]]
    })
    return isChanged ? Object.fromEntries(members) : value
  }

  #any(schemas: readonly unknown[], value: unknown): unknown {
    if (!isNested(value) || schemas.length === 0) return value
    if (isObject(value)) return this.object(schemas, value)
    const forms = this.#formsOf(schemas)
    const items = (value as readonly unknown[]).map((item, index) => {
      const own = forms.flatMap(({ prefixItems, items }) => {
        const first: unknown = Array.isArray(prefixItems) ? prefixItems[index] : undefined
        return first ?? items ?? []
      })
      return this.#any(own, item)
    })
    return items.some((item, index) => item !== (value as unknown[])[index]) ? items : value
  }

  /** The schemas that may apply to a value, one by one. */
  #formsOf(schemas: readonly unknown[]): JsonSchema[] {
    const forms: JsonSchema[] = []
    const rest = [...schemas]
    while (rest.length > 0 && this.#left-- > 0) {
      const next = rest.pop()
      if (!isObject(next)) continue
      forms.push(next)
      for (const list of [next.allOf, next.anyOf, next.oneOf]) {
        if (Array.isArray(list)) for (const each of list) rest.push(each)
      }
      if (next.$ref !== undefined) rest.push(referred(this.#root, next.$ref))
    }
    return forms
  }

  /** Whether `null` may be a value; also where that cannot be known. */
  #allowsNull(schema: unknown, depth = 0): boolean {
    if (schema === false) return false
    if (!isObject(schema) || this.#left-- <= 0 || depth > DEEPEST) return true
    const { type, nullable, $ref, allOf, anyOf, oneOf } = schema
    const isType = type === undefined || nullable === true || [type].flat().includes('null')
    const isValue = !Array.isArray(schema.enum) || schema.enum.includes(null)
    if (!isType || !isValue || (schema.const ?? null) !== null) return false
    const allows = (each: unknown) => this.#allowsNull(each, depth + 1)
    return (
      ($ref === undefined || allows(referred(this.#root, $ref))) &&
      (!Array.isArray(allOf) || allOf.every(allows)) &&
      [anyOf, oneOf].every((forms) => !Array.isArray(forms) || forms.some(allows))
    )
  }
}
