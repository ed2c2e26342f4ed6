/** What a form shows for a schema. Parts of it are described when they are shown. */
import { limitsOf } from './limits.ts'
import { merged, Unmergeable } from './merge.ts'
import { resolved } from './resolve.ts'
import { textInput, type TextInput } from './text-input.ts'
import { isObject, type Json } from './values.ts'

export interface Option {
  value: unknown
  label: string
}

export interface Field {
  name: string
  schema: unknown
  required: boolean
}

export interface Form {
  label: string
  schema: unknown
}

export type Kind =
  | { kind: 'const'; value: unknown }
  | { kind: 'choice'; options: Option[] }
  | { kind: 'flag' }
  | { kind: 'number'; isInteger: boolean; min?: number; max?: number; step?: number }
  | { kind: 'text'; input: TextInput }
  | { kind: 'object'; fields: Field[]; extra: Extra | undefined }
  | { kind: 'list'; heads: unknown[]; items: unknown; max: number }
  | { kind: 'checks'; options: Option[] }
  | { kind: 'tags' }
  | { kind: 'forms'; forms: Form[] }
  /** JSON in a box, because of this. */
  | { kind: 'json'; reason: string }

/** Properties that the schema does not name. */
export interface Extra {
  patterns: [pattern: string, schema: unknown][]
  /** For any other name; `false` if there may be none. */
  rest: unknown
}

export type Shape = Kind & {
  label: string
  about: string
  /** Limits and examples, as sentences. */
  limits: string[]
  examples: unknown[]
  /** The value in the schema that stands when none is given. */
  standard: unknown
  isNullable: boolean
  isDeprecated: boolean
}

/**
 * @param name of the property; part of the label, and of what a text is for.
 * @param value decides between the branches of a condition.
 */
export function shapeOf(schema: unknown, root: Json, name: string, value?: unknown): Shape {
  const { schema: whole, reason } = resolved(schema, root, value)
  const { inner, isNullable } = withoutNull(whole, root)
  const kind: Kind = reason === undefined ? kindOf(inner, root, name) : { kind: 'json', reason }
  const examples = Array.isArray(inner['examples']) ? (inner['examples'] as unknown[]) : []
  return {
    ...kind,
    label: textOf(inner['title']) ?? name.replaceAll('_', ' '),
    about: textOf(inner['description']) ?? '',
    limits: limitsOf(inner, kind.kind === 'text' ? kind.input : undefined),
    examples: inner['example'] === undefined ? examples : [...examples, inner['example']],
    standard: inner['default'],
    isNullable,
    isDeprecated: inner['deprecated'] === true,
  }
}

const isNull = (schema: unknown) =>
  isObject(schema) && (schema['type'] === 'null' || schema['const'] === null)

/** `null` beside another type is a mark at its field, and no form of its own. */
function withoutNull(schema: Json, root: Json): { inner: Json; isNullable: boolean } {
  const { type, anyOf, oneOf, enum: values, nullable, ...rest } = schema
  if (Array.isArray(type) && type.length > 1 && type.includes('null')) {
    const [only, another] = type.filter((name) => name !== 'null') as unknown[]
    const types: unknown = another === undefined ? only : type.filter((name) => name !== 'null')
    const known = Array.isArray(values) ? values.filter((value) => value !== null) : undefined
    const inner = { ...schema, type: types, ...(known && { enum: known }) }
    return { inner, isNullable: true }
  }
  const forms = anyOf ?? oneOf
  if (Array.isArray(forms) && (anyOf === undefined || oneOf === undefined)) {
    const others = forms.filter((form) => !isNull(form)) as unknown[]
    if (others.length === forms.length || others.length === 0)
      return { inner: schema, isNullable: nullable === true }
    const around = {
      ...rest,
      ...(type !== undefined && { type }),
      ...(values !== undefined && { enum: values }),
    }
    if (others.length > 1) {
      return { inner: { ...around, [anyOf ? 'anyOf' : 'oneOf']: others }, isNullable: true }
    }
    const { schema: inner, reason } = resolved({ allOf: [others[0]], ...around }, root)
    return reason === undefined ? { inner, isNullable: true } : { inner: schema, isNullable: false }
  }
  return { inner: schema, isNullable: nullable === true }
}

function kindOf(schema: Json, root: Json, name: string): Kind {
  const { type, oneOf, anyOf, enum: values } = schema
  if (Object.hasOwn(schema, 'const')) return { kind: 'const', value: schema['const'] }
  if (Array.isArray(values)) return { kind: 'choice', options: optionsOf(values, schema) }
  const forms = oneOf ?? anyOf
  if (Array.isArray(forms) && forms.length > 0) {
    if (oneOf !== undefined && anyOf !== undefined) {
      return { kind: 'json', reason: 'it combines oneOf and anyOf' }
    }
    const titled = titledOptions(forms)
    if (titled) return { kind: 'choice', options: titled }
    return formsOf(schema, forms, root)
  }
  if (Array.isArray(type)) {
    const each = type.map((only: unknown): Form => ({
      label: String(only),
      schema: { ...schema, type: only },
    }))
    return { kind: 'forms', forms: each }
  }
  switch (type) {
    case 'boolean':
      return { kind: 'flag' }
    case 'null':
      return { kind: 'const', value: null }
    case 'integer':
    case 'number':
      return numberOf(schema, type === 'integer')
    case 'string':
      return { kind: 'text', input: textInput(schema, name) }
    case 'array':
      return listOf(schema, root)
    case 'object':
      return objectOf(schema)
  }
  if (isObject(schema['properties'])) return objectOf(schema)
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined)
    return listOf(schema, root)
  return {
    kind: 'json',
    reason: type === undefined ? '' : `its type ${JSON.stringify(type)} is not known`,
  }
}

/** `enumNames` is what forms had before titles. */
function optionsOf(values: readonly unknown[], { enumNames }: Json): Option[] {
  const names: unknown[] = Array.isArray(enumNames) ? enumNames : []
  return values.map((value, index) => ({ value, label: textOf(names[index]) ?? worded(value) }))
}

/** Values with titles: `oneOf: [{ const, title }]`. */
function titledOptions(forms: readonly unknown[]): Option[] | undefined {
  const options = forms.map((form): Option | undefined => {
    if (!isObject(form) || !Object.hasOwn(form, 'const')) return undefined
    const value = form['const']
    return { value, label: textOf(form['title']) ?? textOf(form['description']) ?? worded(value) }
  })
  return options.every((option) => option !== undefined) ? options : undefined
}

function formsOf(schema: Json, forms: readonly unknown[], root: Json): Kind {
  const { oneOf, anyOf, title, description, default: standard, examples, ...around } = schema
  const made = forms.map((form, index): Form => {
    try {
      const { schema: inner, reason } = resolved(form, root)
      if (reason !== undefined) return { label: `Form ${index + 1}`, schema: form }
      return { label: labelOf(form, inner, index), schema: merged(inner, around) }
    } catch (error) {
      if (!(error instanceof Unmergeable)) throw error
      return { label: `Form ${index + 1}`, schema: { allOf: [form, around] } }
    }
  })
  return { kind: 'forms', forms: made }
}

/** The title, the value that tells it from the others, the name of the definition, or the type. */
function labelOf(form: unknown, inner: Json, index: number): string {
  const title = textOf(inner['title'])
  if (title !== undefined) return title
  for (const property of Object.values(isObject(inner['properties']) ? inner['properties'] : {})) {
    if (isObject(property) && Object.hasOwn(property, 'const')) return worded(property['const'])
  }
  const ref = isObject(form) ? textOf(form['$ref']) : undefined
  const named = ref === undefined || ref === '#' ? undefined : ref.split('/').at(-1)
  const { type } = inner
  if (named) return named
  if (typeof type !== 'string') return `Form ${index + 1}`
  const required: unknown = Array.isArray(inner['required']) ? inner['required'][0] : undefined
  return type === 'object' && typeof required === 'string' ? `with ${required}` : type
}

function numberOf(schema: Json, isInteger: boolean): Kind {
  const { minimum, maximum, multipleOf } = schema
  return {
    kind: 'number',
    isInteger,
    ...(typeof minimum === 'number' && { min: minimum }),
    ...(typeof maximum === 'number' && { max: maximum }),
    ...(typeof multipleOf === 'number' && multipleOf > 0 && { step: multipleOf }),
  }
}

/** Values that are boxes to check; a longer list of choices is a list of items. */
const MOST_CHECKS = 40

function listOf(schema: Json, root: Json): Kind {
  const { items, prefixItems, additionalItems, maxItems } = schema
  const isOldTuple = Array.isArray(items)
  const heads: unknown[] = isOldTuple ? items : Array.isArray(prefixItems) ? prefixItems : []
  const rest: unknown = isOldTuple ? additionalItems : items
  if (heads.length === 0 && isObject(rest)) {
    const { schema: item, reason } = resolved(rest, root)
    if (reason === undefined) {
      const kind = kindOf(item, root, '')
      if (kind.kind === 'choice' && kind.options.length <= MOST_CHECKS) {
        if (schema['uniqueItems'] === true || kind.options.length <= 8) {
          return { kind: 'checks', options: kind.options }
        }
      }
      if (
        item['type'] === 'string' &&
        kind.kind === 'text' &&
        kind.input.type === 'text' &&
        !kind.input.isLong
      ) {
        return { kind: 'tags' }
      }
    }
  }
  const most = typeof maxItems === 'number' ? maxItems : Infinity
  return { kind: 'list', heads, items: rest, max: rest === false ? heads.length : most }
}

function objectOf(schema: Json): Kind {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []
  const named = Object.entries(isObject(properties) ? properties : {})
  const missing = required.filter(
    (name): name is string => typeof name === 'string' && !named.some(([known]) => known === name),
  )
  const fields = [...named, ...missing.map((name) => [name, true] as const)].map(
    ([name, inner]): Field => ({ name, schema: inner, required: required.includes(name) }),
  )
  // What must be there first; otherwise the author's own order.
  const sorted = [
    ...fields.filter(({ required }) => required),
    ...fields.filter(({ required }) => !required),
  ]
  const rest =
    additionalProperties ?? unevaluatedProperties ?? (fields.length === 0 ? true : undefined)
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {})
  const extra =
    rest === false && patterns.length === 0 ? undefined : { patterns, rest: rest ?? true }
  // Most schemas forget to say that nothing else is allowed: then it is not offered.
  const isOffered = patterns.length > 0 || (rest !== undefined && rest !== false)
  return { kind: 'object', fields: sorted, extra: isOffered ? extra : undefined }
}

export function worded(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
