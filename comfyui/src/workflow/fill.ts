/** Turns the arguments of a call into the values of a tool's fields. */
import { type Field, problemOf } from './field.ts'

export interface Filled {
  /** By field name, in field order; a field that keeps the workflow's value is absent. */
  values: Map<string, unknown>
  /** Fields whose value was generated. */
  generated: string[]
  /** One line per invalid or missing argument; empty if the call is valid. */
  problems: string[]
  /** Names of arguments that do not match a field. */
  unknown: string[]
}

/** Short enough to read aloud; every sampler accepts it. */
const MAX_SEED = 2 ** 32 - 1

/**
 * Checks the arguments, applies defaults and generates missing values.
 *
 * @param random as `Math.random`.
 */
export function fill(
  fields: readonly Field[],
  args: Readonly<Record<string, unknown>>,
  random: () => number,
): Filled {
  const values = new Map<string, unknown>()
  const generated: string[] = []
  const problems: string[] = []
  for (const field of fields) {
    const { name } = field
    // Not `name in args`: "constructor" is in every object.
    if (Object.hasOwn(args, name)) {
      const problem = problemOf(args[name], field)
      if (problem) problems.push(`${name}: ${problem}`)
      values.set(name, args[name])
    } else if (field.required) problems.push(`${name}: is missing`)
    else if (field.generator) {
      values.set(name, generate(field, random))
      generated.push(name)
    } else if ('default' in field) values.set(name, field.default)
  }
  const names = new Set(fields.map(({ name }) => name))
  return {
    values,
    generated,
    problems,
    unknown: Object.keys(args).filter((key) => !names.has(key)),
  }
}

function generate(field: Field, random: () => number): unknown {
  const { type, enum: choices, generator } = field
  if (choices) return choices[Math.floor(random() * choices.length)]
  if (type === 'boolean') return random() < 0.5
  const { min, max } = rangeOf(
    field,
    generator?.type === 'random' && type === 'number' ? 1 : MAX_SEED,
  )
  if (type === 'number') return min + random() * (max - min)
  const number = min + Math.floor(random() * (max - min + 1))
  return type === 'string' ? String(number) : Math.min(number, max)
}

/** Range of generated values: the generator's limits, restricted to the field's limits. */
function rangeOf(
  { type, minimum = -Infinity, maximum = Infinity, generator }: Field,
  most: number,
): { min: number; max: number } {
  const lowest = type === 'integer' ? Math.ceil : (value: number) => value
  const highest = type === 'integer' ? Math.floor : (value: number) => value
  const min = lowest(Math.max(generator?.min ?? (minimum === -Infinity ? 0 : minimum), minimum))
  const max = highest(Math.min(generator?.max ?? Math.max(min, Math.min(maximum, most)), maximum))
  return { min, max: Math.max(min, max) }
}
