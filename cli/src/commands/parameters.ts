/** The parameters of a tool: as a list for people, and the names that somebody may have meant. */
import { asObject } from 'ftl-contract'
import { nearestName } from 'ftl-host/nearest-name'
import { CommandFailure } from '../terminal/failure.ts'
import { visible } from '../terminal/visible-text.ts'

type Fields = Record<string, unknown>

/** Choices that a line lists; a tool may offer every model of a server. */
const MAX_CHOICES = 8
/** Characters of name and type up to which descriptions are aligned; a longer type moves only its own description. */
const MAX_ALIGNED = 50

/** One line for each parameter: name, type, whether it is required, default, description. */
export function parameterLines(inputSchema: unknown): string[] {
  const properties = propertiesOf(inputSchema)
  const required = asObject(inputSchema)['required']
  const rows = Object.entries(properties).map(([name, schema]) => {
    const fields = asObject(schema)
    const isRequired = Array.isArray(required) && required.includes(name)
    const notes = [typeOf(fields), isRequired ? 'required' : optional(fields)]
    const description = typeof fields['description'] === 'string' ? fields['description'] : ''
    return [visible(name), notes.join(', '), visible(description.split('\n')[0] ?? '')] as const
  })
  const width = (column: 0 | 1) =>
    Math.max(0, ...rows.map((row) => row[column].length).filter((length) => length <= MAX_ALIGNED))
  return rows.map(([name, notes, text]) =>
    `  ${name.padEnd(width(0))}  ${notes.padEnd(width(1))}  ${text}`.trimEnd(),
  )
}

/**
 * Refuses an argument whose name looks like a mistake of typing: a schema without `additionalProperties` ignores it, so
 * that `dyr_run=true` would really run. A whole JSON object is never refused.
 *
 * @throws {CommandFailure}
 */
export function refuseMistyped(tool: string, args: readonly string[], inputSchema: unknown): void {
  const properties = propertiesOf(inputSchema)
  if (mayHaveMore(inputSchema)) return
  const given = args.flatMap((arg) => /^([^=:{]+):?=/.exec(arg)?.[1] ?? [])
  for (const name of given) {
    if (Object.hasOwn(properties, name)) continue
    const free = Object.keys(properties).filter((each) => !given.includes(each))
    const meant = nearestName(name, free)
    if (meant === undefined) continue
    throw new CommandFailure(
      [
        `${visible(tool)} has no parameter "${visible(name)}"; did you mean "${visible(meant)}"? Its parameters:`,
        ...parameterLines(inputSchema),
      ].join('\n'),
    )
  }
}

/**
 * Names that the schema neither has nor forbids: most tools ignore them without a word.
 *
 * @returns a sentence, or `undefined`.
 */
export function unknownText(tool: string, input: object, inputSchema: unknown): string | undefined {
  const properties = propertiesOf(inputSchema)
  if (mayHaveMore(inputSchema)) return undefined
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(properties, name))
  if (unknown.length === 0) return undefined
  const names = unknown.slice(0, MAX_CHOICES).map((name) => {
    const meant = nearestName(name, Object.keys(properties))
    return `"${visible(name)}"${meant === undefined ? '' : ` (did you mean "${visible(meant)}"?)`}`
  })
  const has = Object.keys(properties).slice(0, MAX_CHOICES).map(visible).join(', ')
  return `${visible(tool)} has no parameter ${names.join(', ')}; it has ${has === '' ? 'none' : has}`
}

/** Keywords whose schemas may have parameters that `properties` does not list. */
const MORE_PARAMETERS = [
  ...['patternProperties', 'unevaluatedProperties', 'dependentSchemas', 'dependencies'],
  ...['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', '$ref', '$dynamicRef'],
]

/** Also a schema without `properties`, whose tool reads whatever it is given. */
function mayHaveMore(inputSchema: unknown): boolean {
  const fields = asObject(inputSchema)
  const { additionalProperties = false, properties } = fields
  if (additionalProperties !== false) return true
  if (properties === undefined) return fields['additionalProperties'] === undefined
  return MORE_PARAMETERS.some((key) => Object.hasOwn(fields, key) && fields[key] !== false)
}

function propertiesOf(inputSchema: unknown): Fields {
  return asObject(asObject(inputSchema)['properties'])
}

function typeOf(schema: Fields): string {
  const values = schema['enum']
  if (Array.isArray(values)) {
    const shown = values
      .slice(0, MAX_CHOICES)
      .map((value) => visible(JSON.stringify(value) ?? ''))
      .join(' | ')
    const more = values.length - MAX_CHOICES
    return more > 0 ? `${shown} | … ${more} more` : shown
  }
  const type = schema['type']
  if (type === 'array') {
    const item = typeOf(asObject(schema['items']))
    return item === 'any' ? 'list' : `list of ${item}`
  }
  if (Array.isArray(type)) return type.map((each) => visible(String(each))).join(' | ')
  return typeof type === 'string' ? visible(type) : 'any'
}

function optional(schema: Fields): string {
  const value = schema['default']
  return value === undefined ? 'optional' : `default ${visible(JSON.stringify(value) ?? '')}`
}
