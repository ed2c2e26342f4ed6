/**
 * From a tool's JSON Schema to the fields of a form, and from what was typed to arguments.
 *
 * The gateway checks arguments against the whole schema and says which are wrong; here is only what saves the way there.
 */
import { asArray, asRecord, type FieldProblem, text } from '../net/api.ts'
import type { Schema } from '../net/tools.ts'

export type FieldKind = 'line' | 'text' | 'number' | 'choice' | 'flag' | 'list' | 'choices' | 'json'

export interface Field {
  name: string
  label: string
  kind: FieldKind
  about: string
  required: boolean
  /** Values to choose from. */
  choices: unknown[]
  schema: Schema
}

/** What was typed, by the field's name: a string, a boolean, or a list of strings. */
export type Typed = Readonly<Record<string, unknown>>

/** Names of arguments that are rarely one line. */
const LONG = /prompt|text|message|description|content|body|script|query|code/i
const LONG_FROM = 200

export function fieldsOf(schema: Schema): Field[] {
  const required = asArray(schema['required'])
  const fields = Object.entries(asRecord(schema['properties'])).map(([name, value]): Field => {
    const property = asRecord(value)
    return {
      name,
      label: text(property['title']) ?? name.replaceAll('_', ' '),
      kind: kindOf(name, property),
      about: text(property['description']) ?? '',
      required: required.includes(name),
      choices: choicesOf(property) ?? choicesOf(asRecord(property['items'])) ?? [],
      schema: property,
    }
  })
  // What must be there first; otherwise the author's own order.
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)]
}

function kindOf(name: string, schema: Schema): FieldKind {
  const { type } = schema
  if (choicesOf(schema)) return 'choice'
  if (type === 'boolean') return 'flag'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'string') {
    const longest = schema['maxLength']
    const isLong = LONG.test(name) && !(typeof longest === 'number' && longest < LONG_FROM)
    return isLong ? 'text' : 'line'
  }
  const items = asRecord(schema['items'])
  if (type === 'array' && items['type'] === 'string') return choicesOf(items) ? 'choices' : 'list'
  return 'json'
}

function choicesOf(schema: Schema): unknown[] | undefined {
  const values = asArray(schema['enum'])
  return values.length > 0 && values.every((value) => typeof value !== 'object')
    ? values
    : undefined
}

/** What the form shows at first: the schema's defaults, or arguments of before. */
export function typedFrom(fields: readonly Field[], args: Record<string, unknown> = {}): Typed {
  return Object.fromEntries(
    fields.map(({ name, kind, schema }): [string, unknown] => {
      const value = args[name] ?? schema['default']
      if (kind === 'flag') return [name, value === true]
      if (kind === 'list' || kind === 'choices') return [name, asArray(value)]
      if (value === undefined) return [name, '']
      return [name, kind === 'json' ? JSON.stringify(value, null, 2) : worded(value)]
    }),
  )
}

export function worded(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The arguments, or what is wrong with them. What was left empty is left out. */
export function argumentsOf(
  fields: readonly Field[],
  typed: Typed,
): { args: Record<string, unknown>; problems: FieldProblem[] } {
  const args: Record<string, unknown> = {}
  const problems: FieldProblem[] = []
  for (const field of fields) {
    const { name, required } = field
    const { value, problem } = valueOf(field, typed[name])
    if (problem !== undefined) problems.push({ path: name, message: problem })
    else if (value !== undefined) args[name] = value
    else if (required) problems.push({ path: name, message: 'is needed' })
  }
  return { args, problems }
}

function valueOf(
  { kind, choices, required, schema }: Field,
  typed: unknown,
): { value?: unknown; problem?: string } {
  if (kind === 'flag')
    return required || typed === true || schema['default'] === true ? { value: typed === true } : {}
  if (kind === 'list' || kind === 'choices') {
    const list = asArray(typed)
    return list.length > 0 || required ? { value: list } : {}
  }
  const written = typeof typed === 'string' ? typed : ''
  if (written.trim() === '') return {}
  if (kind === 'choice') return { value: choices.find((choice) => worded(choice) === written) }
  if (kind === 'number') return numberOf(schema, Number(written))
  if (kind === 'json') {
    try {
      return { value: JSON.parse(written) as unknown }
    } catch {
      return { problem: 'is not JSON: write objects as {"name": "value"} and lists as ["a", "b"]' }
    }
  }
  return { value: written }
}

function numberOf(schema: Schema, value: number): { value?: unknown; problem?: string } {
  const { type, minimum, maximum } = schema
  if (!Number.isFinite(value)) return { problem: 'must be a number' }
  if (type === 'integer' && !Number.isInteger(value)) return { problem: 'must be a whole number' }
  if (typeof minimum === 'number' && value < minimum)
    return { problem: `must be ${minimum} or more` }
  if (typeof maximum === 'number' && value > maximum)
    return { problem: `must be ${maximum} or less` }
  return { value }
}

/** The field a problem is about, by the first part of its path: `size.width`, `styles[0]`, `/size/width`. */
export function problemOf(name: string, problems: readonly FieldProblem[]): string | undefined {
  const found = problems.find(
    ({ path }) => path.split(/[.[/]/).find((part) => part !== '') === name,
  )
  if (!found) return undefined
  const inside = found.path.replace(/^\//, '').slice(name.length).replace(/^[./]/, '')
  return inside === '' ? found.message : `${inside} ${found.message}`
}
