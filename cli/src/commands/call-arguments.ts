import { readFileSync } from 'node:fs'
import { isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'

type Fields = Record<string, unknown>

/**
 * The arguments of a tool: one JSON object, or `name=value` as often as needed. A value is a text, unless the tool's
 * schema says that it is something else, or it is given as `name:=json`. A name given again makes a list, where the
 * schema wants one.
 *
 * @throws {CommandFailure}
 */
export function parseArguments(args: readonly string[], schema: Fields = {}): Fields {
  const [first] = args
  if (first?.trimStart().startsWith('{')) {
    if (args.length > 1) throw new CommandFailure('give one JSON object, or name=value, not both')
    return parseObject(first, 'the arguments')
  }
  const properties = (schema['properties'] ?? {}) as Record<string, Fields | undefined>
  const fields: Fields = {}
  for (const arg of args) {
    const [, name, raw, value] = /^([^=:]+)(:?)=(.*)$/s.exec(arg) ?? []
    if (name === undefined || value === undefined) {
      throw new CommandFailure(`"${arg}" is neither name=value nor a JSON object`)
    }
    const property = properties[name]
    if (raw === '' && property?.['type'] === 'array' && !value.trimStart().startsWith('[')) {
      const before = (fields[name] ?? []) as unknown[]
      const items = property['items'] as Fields | undefined
      fields[name] = [...before, parseValue(name, value, items)]
    } else
      fields[name] = raw === '' ? parseValue(name, value, property) : parseJson(value, of(name))
  }
  return fields
}

/**
 * The same with what `--args` has: JSON, `@file`, or `-` for standard input. Single arguments win over it.
 *
 * @throws {CommandFailure}
 */
export function mergeArguments(
  whole: string | undefined,
  args: readonly string[],
  schema: Fields = {},
): Fields {
  const single = parseArguments(args, schema)
  return whole === undefined ? single : { ...parseObject(readWhole(whole), '--args'), ...single }
}

function readWhole(whole: string): string {
  if (whole !== '-' && !whole.startsWith('@')) return whole
  try {
    return readFileSync(whole === '-' ? 0 : whole.slice(1), 'utf8')
  } catch (error) {
    throw new CommandFailure(`--args ${whole}: ${(error as Error).message}`)
  }
}

function parseObject(text: string, what: string): Fields {
  const value = parseJson(text, what)
  if (isObject(value)) return value
  throw new CommandFailure(`${what}: give a JSON object, for example '{"message":"Hello"}'`)
}

function parseValue(name: string, value: string, property: Fields | undefined): unknown {
  return wantsJson(property) ? parseJson(value, of(name)) : value
}

const of = (name: string) => `the value of ${name}`

/** Whether a text cannot be meant. */
function wantsJson(property: Fields | undefined): boolean {
  const type = property?.['type']
  return typeof type === 'string' && type !== 'string'
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandFailure(`${what}: this is not JSON: ${(error as Error).message}`)
  }
}
