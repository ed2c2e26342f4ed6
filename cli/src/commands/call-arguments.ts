import { CommandFailure } from '../failure.ts'

type Fields = Record<string, unknown>

/**
 * The arguments of a tool: one JSON object, or `name=value` as often as needed. A value is a text, unless the tool's
 * schema says that it is something else, or it is given as `name:=json`.
 *
 * @throws {CommandFailure}
 */
export function parseArguments(args: readonly string[], schema: Fields = {}): Fields {
  const [first] = args
  if (first?.trimStart().startsWith('{')) {
    if (args.length > 1) throw new CommandFailure('give one JSON object, or name=value, not both')
    return parseJson(first, 'the arguments') as Fields
  }
  const properties = (schema['properties'] ?? {}) as Record<string, Fields | undefined>
  return Object.fromEntries(
    args.map((arg) => {
      const [, name, raw, value] = /^([^=:]+)(:?)=(.*)$/s.exec(arg) ?? []
      if (name === undefined || value === undefined) {
        throw new CommandFailure(`"${arg}" is neither name=value nor a JSON object`)
      }
      const isText = raw === '' && !wantsJson(properties[name])
      return [name, isText ? value : parseJson(value, `the value of ${name}`)]
    }),
  )
}

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
