/** The fields of a form that a server asks its user to fill in, and what may be typed for each. */
import { asObject } from 'ftl-contract'

/** A field of `requestedSchema`, read without trusting it. */
export interface Field {
  name: string
  title: string
  description: string | undefined
  isRequired: boolean
  kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices'
  /** Of `choice` and `choices`: the value that is sent, and what the user reads. */
  choices: { value: string; title: string }[]
  default: unknown
  /** Of a number. */
  minimum: number | undefined
  maximum: number | undefined
  minLength: number | undefined
  maxLength: number | undefined
}

/** What was typed: a value, nothing, or what is wrong with it. */
export type Typed = { value: unknown } | { problem: string }

type Json = Record<string, unknown>

export function fieldsOf(requestedSchema: unknown): Field[] {
  const schema = asObject(requestedSchema)
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []
  return Object.entries(asObject(schema['properties'])).map(([name, each]) =>
    fieldOf(name, asObject(each), required.includes(name)),
  )
}

function fieldOf(name: string, schema: Json, isRequired: boolean): Field {
  const choices = choicesOf(schema)
  const listed = choicesOf(asObject(schema['items']))
  return {
    name,
    title: textOf(schema['title']) ?? name,
    description: textOf(schema['description']),
    isRequired,
    kind: kindOf(schema['type'], choices.length > 0),
    choices: choices.length > 0 ? choices : listed,
    default: schema['default'],
    minimum: numberOf(schema['minimum']),
    maximum: numberOf(schema['maximum']),
    minLength: numberOf(schema['minLength']),
    maxLength: numberOf(schema['maxLength']),
  }
}

function kindOf(type: unknown, hasChoices: boolean): Field['kind'] {
  if (type === 'number' || type === 'integer' || type === 'boolean') return type
  if (type === 'array') return 'choices'
  return hasChoices ? 'choice' : 'text'
}

/** Titled choices are `oneOf` or `anyOf`; plain ones are `enum`, whose titles were `enumNames` before 2025-11-25. */
function choicesOf(schema: Json): Field['choices'] {
  const titled = [schema['oneOf'], schema['anyOf']].find(Array.isArray) as unknown[] | undefined
  if (titled) {
    return titled.flatMap((each) => {
      const value = textOf(asObject(each)['const'])
      return value === undefined ? [] : [{ value, title: textOf(asObject(each)['title']) ?? value }]
    })
  }
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : []
  const names = Array.isArray(schema['enumNames']) ? (schema['enumNames'] as unknown[]) : []
  return values.flatMap((value, index) =>
    typeof value === 'string' ? [{ value, title: textOf(names[index]) ?? value }] : [],
  )
}

/** Reads what the user typed for a field. */
export function readField(field: Field, typed: string): Typed {
  const text = field.kind === 'text' ? typed : typed.trim()
  switch (field.kind) {
    case 'boolean':
      if (/^(y|yes|true)$/i.test(text)) return { value: true }
      if (/^(n|no|false)$/i.test(text)) return { value: false }
      return { problem: 'type yes or no' }
    case 'choice':
      return readChoice(field, text)
    case 'choices': {
      const all = text.split(',').map((part) => readChoice(field, part.trim()))
      const wrong = all.find((each) => 'problem' in each)
      return wrong ?? { value: all.flatMap((each) => ('value' in each ? [each.value] : [])) }
    }
    case 'text':
      return readText(field, text)
    default:
      return readNumber(field, text)
  }
}

/** By its number in the list, its value or its title. */
function readChoice({ choices }: Field, text: string): Typed {
  const found =
    choices.find(({ value }) => value === text) ??
    choices.find(({ title }) => title.toLowerCase() === text.toLowerCase()) ??
    (/^\d+$/.test(text) ? choices[Number(text) - 1] : undefined)
  return found ? { value: found.value } : { problem: `type a number from 1 to ${choices.length}` }
}

function readText({ minLength = 0, maxLength = Infinity }: Field, text: string): Typed {
  const { length } = [...text]
  if (length < minLength) return { problem: `type at least ${minLength} characters` }
  if (length > maxLength) return { problem: `type at most ${maxLength} characters` }
  return { value: text }
}

function readNumber({ kind, minimum = -Infinity, maximum = Infinity }: Field, text: string): Typed {
  const value = text === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(value)) return { problem: 'type a number' }
  if (kind === 'integer' && !Number.isInteger(value)) return { problem: 'type a whole number' }
  if (value < minimum) return { problem: `type a number of at least ${minimum}` }
  if (value > maximum) return { problem: `type a number of at most ${maximum}` }
  return { value }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
