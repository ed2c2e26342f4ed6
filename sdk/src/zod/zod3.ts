/** Reads a definition of Zod 3: `_def.typeName` and what belongs to it. */
import type { JsonSchema } from 'ftl-contract'
import {
  cannotSay,
  type Definition,
  type Describe,
  enumeration,
  enumValues,
  literal,
  nullable,
  patterns,
} from './parts.ts'

interface Check {
  kind: string
  value?: number | string
  inclusive?: boolean
  regex?: RegExp
  local?: boolean
}

interface Limit {
  value: number
}

export function readZod3(schema: unknown, path: string, describe: Describe): JsonSchema {
  const { _def: def } = schema as { _def: Definition }
  const described = read(def, path, describe)
  return typeof def['description'] === 'string'
    ? { ...described, description: def['description'] }
    : described
}

function read(def: Definition, path: string, describe: Describe): JsonSchema {
  const checks = (def['checks'] ?? []) as Check[]
  const inner = () => describe(def['innerType'], path)
  const kind = String(def['typeName']).slice('Zod'.length)
  switch (kind) {
    case 'String':
      return readString(checks)
    case 'Number':
      return readNumber(checks)
    case 'Boolean':
      return { type: 'boolean' }
    case 'Null':
      return { type: 'null' }
    case 'Any':
    case 'Unknown':
      return {}
    case 'Never':
      return { not: {} }
    case 'Literal':
      return literal([def['value']], path)
    case 'Enum':
      return { type: 'string', enum: def['values'] }
    case 'NativeEnum':
      return enumeration(enumValues(def['values'] as Definition))
    case 'Array': {
      const exact = def['exactLength'] as Limit | null
      const least = exact ?? (def['minLength'] as Limit | null)
      const most = exact ?? (def['maxLength'] as Limit | null)
      return {
        type: 'array',
        items: describe(def['type'], `${path}/items`),
        ...(least && { minItems: least.value }),
        ...(most && { maxItems: most.value }),
      }
    }
    case 'Tuple': {
      const items = def['items'] as unknown[]
      return {
        type: 'array',
        minItems: items.length,
        prefixItems: items.map((item, index) => describe(item, `${path}/prefixItems/${index}`)),
        ...(def['rest']
          ? { items: describe(def['rest'], `${path}/items`) }
          : { maxItems: items.length }),
      }
    }
    case 'Object':
      return readObject(def, path, describe)
    case 'Record':
      return {
        type: 'object',
        additionalProperties: describe(def['valueType'], `${path}/additionalProperties`),
      }
    case 'Union':
    case 'DiscriminatedUnion': {
      const options = [...(def['options'] as unknown[])]
      return { anyOf: options.map((form, index) => describe(form, `${path}/anyOf/${index}`)) }
    }
    case 'Intersection':
      return {
        allOf: ['left', 'right'].map((side, index) =>
          open(describe(def[side], `${path}/allOf/${index}`)),
        ),
      }
    case 'Nullable':
      return nullable(describe(def['innerType'], `${path}/anyOf/0`))
    case 'Default':
      return { ...inner(), default: (def['defaultValue'] as () => unknown)() }
    case 'Optional':
    case 'Readonly':
    case 'Catch':
      return inner()
    case 'Branded':
      return describe(def['type'], path)
    case 'Effects':
      // The schema describes the preprocessed value, not the one that callers send.
      return (def['effect'] as { type: string }).type === 'preprocess'
        ? {}
        : describe(def['schema'], path)
    case 'Pipeline':
      return describe(def['in'], path)
    case 'Lazy':
      return describe((def['getter'] as () => unknown)(), path)
    default:
      return cannotSay(`a ${kind}`, path)
  }
}

const FORMATS: Record<string, string> = { email: 'email', url: 'uri', uuid: 'uuid', date: 'date' }

function readString(checks: Check[]): JsonSchema {
  const schema: JsonSchema = { type: 'string' }
  const expressions: RegExp[] = []
  for (const { kind, value, regex, local } of checks) {
    const size = Number(value)
    if (kind === 'min' || kind === 'length')
      schema['minLength'] = Math.max(size, number(schema['minLength'], 0))
    if (kind === 'max' || kind === 'length')
      schema['maxLength'] = Math.min(size, number(schema['maxLength'], Infinity))
    if (kind in FORMATS) schema['format'] = FORMATS[kind]
    // Without a zone it is not a `date-time`.
    if (kind === 'datetime' && !local) schema['format'] = 'date-time'
    if (kind === 'regex' && regex) expressions.push(regex)
    if (kind === 'startsWith') expressions.push(new RegExp(`^${escape(value)}`))
    if (kind === 'endsWith') expressions.push(new RegExp(`${escape(value)}$`))
    if (kind === 'includes') expressions.push(new RegExp(escape(value)))
  }
  return { ...schema, ...patterns(expressions) }
}

function readNumber(checks: Check[]): JsonSchema {
  const schema: JsonSchema = { type: 'number' }
  for (const { kind, value, inclusive } of checks) {
    if (kind === 'int') schema['type'] = 'integer'
    if (kind === 'min') schema[inclusive ? 'minimum' : 'exclusiveMinimum'] = value
    if (kind === 'max') schema[inclusive ? 'maximum' : 'exclusiveMaximum'] = value
    if (kind === 'multipleOf') schema['multipleOf'] = value
  }
  return schema
}

function readObject(def: Definition, path: string, describe: Describe): JsonSchema {
  const shape = (def['shape'] as () => Definition)()
  const rest = def['catchall'] as { _def: Definition }
  const required = Object.keys(shape).filter((name) => !isOptional(shape[name]))
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(shape).map(([name, part]) => [
        name,
        describe(part, `${path}/properties/${name}`),
      ]),
    ),
    ...(required.length > 0 && { required }),
    ...(rest._def['typeName'] !== 'ZodNever'
      ? { additionalProperties: describe(rest, `${path}/additionalProperties`) }
      : { additionalProperties: def['unknownKeys'] === 'passthrough' }),
  }
}

// No value fits two closed objects with different properties.
function open({ additionalProperties, ...schema }: JsonSchema): JsonSchema {
  return additionalProperties ? { ...schema, additionalProperties } : schema
}

function isOptional(schema: unknown): boolean {
  return (schema as { isOptional(): boolean }).isOptional()
}

function number(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

function escape(text: unknown): string {
  return String(text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
