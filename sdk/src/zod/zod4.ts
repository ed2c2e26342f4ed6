/** Reads a definition of Zod 4 and Zod mini: `_zod.def`. Both use the same. */
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

interface Core {
  _zod: { def: Definition; traits: Set<string>; optin?: string; pattern?: RegExp }
}

export function readZod4(schema: unknown, path: string, describe: Describe): JsonSchema {
  const core = schema as Core
  const { description, title } = globalMeta(core)
  return {
    ...read(core, path, describe),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  }
}

// Zod stores the values of `describe` and `meta` in a registry on `globalThis` that all copies of Zod share.
function globalMeta(schema: Core): { description?: string; title?: string } {
  const { __zod_globalRegistry: registry } = globalThis as {
    __zod_globalRegistry?: {
      get(schema: unknown): { description?: string; title?: string } | undefined
    }
  }
  return registry?.get(schema) ?? {}
}

function read(schema: Core, path: string, describe: Describe): JsonSchema {
  const { def } = schema._zod
  const inner = () => describe(def['innerType'], path)
  switch (def['type']) {
    case 'string':
      return readString(schema)
    case 'number':
      return readNumber(schema)
    case 'boolean':
      return { type: 'boolean' }
    case 'null':
      return { type: 'null' }
    case 'any':
    case 'unknown':
      return {}
    case 'never':
      return { not: {} }
    case 'literal':
      return literal(def['values'] as unknown[], path)
    case 'enum':
      return enumeration(enumValues(def['entries'] as Definition))
    case 'template_literal':
      return { type: 'string', ...patterns(schema._zod.pattern ? [schema._zod.pattern] : []) }
    case 'array':
      return {
        type: 'array',
        items: describe(def['element'], `${path}/items`),
        ...sizes(schema, 'minItems', 'maxItems'),
      }
    case 'tuple':
      return readTuple(def, path, describe)
    case 'object':
      return readObject(def, path, describe)
    case 'record':
      return {
        type: 'object',
        additionalProperties: describe(def['valueType'], `${path}/additionalProperties`),
      }
    case 'union': {
      const name = def['inclusive'] === false ? 'oneOf' : 'anyOf'
      const options = def['options'] as unknown[]
      return { [name]: options.map((form, index) => describe(form, `${path}/${name}/${index}`)) }
    }
    case 'intersection':
      return {
        allOf: ['left', 'right'].map((side, index) =>
          describe(def[side], `${path}/allOf/${index}`),
        ),
      }
    case 'nullable':
      return nullable(describe(def['innerType'], `${path}/anyOf/0`))
    case 'default':
      return { ...inner(), default: def['defaultValue'] }
    case 'readonly':
      return { ...inner(), readOnly: true }
    case 'optional':
    case 'nonoptional':
    case 'catch':
    case 'prefault':
      return inner()
    case 'pipe':
      // The schema describes the preprocessed value, not the one that callers send.
      return typeOf(def['in']) === 'transform' ? {} : describe(def['in'], path)
    case 'lazy':
      return describe((def['getter'] as () => unknown)(), path)
    default:
      return cannotSay(`a ${String(def['type'])}`, path)
  }
}

/** A schema with a format (`z.email()`) is its own first check. */
function checksOf(schema: Core): Definition[] {
  const { def, traits } = schema._zod
  const checks = (def['checks'] ?? []) as Core[]
  return (traits.has('$ZodCheck') ? [schema, ...checks] : checks).map(({ _zod }) => _zod.def)
}

const FORMATS: Record<string, string> = {
  email: 'email',
  url: 'uri',
  uuid: 'uuid',
  guid: 'uuid',
  date: 'date',
  datetime: 'date-time',
  ipv4: 'ipv4',
  ipv6: 'ipv6',
}

function readString(schema: Core): JsonSchema {
  const checks = checksOf(schema)
  const format = checks.find(({ check }) => check === 'string_format')
  const known = format && FORMATS[String(format['format'])]
  const expressions = checks.flatMap(({ pattern }) => (pattern instanceof RegExp ? [pattern] : []))
  return {
    type: 'string',
    ...sizes(schema, 'minLength', 'maxLength'),
    // Without a zone, or without seconds, it is not a `date-time`.
    ...(known && !format['local'] && format['precision'] !== -1 && { format: known }),
    ...patterns(expressions),
  }
}

function readNumber(schema: Core): JsonSchema {
  const json: JsonSchema = { type: 'number' }
  for (const { check, value, inclusive, format } of checksOf(schema)) {
    if (check === 'number_format' && String(format).includes('int')) json['type'] = 'integer'
    if (check === 'greater_than') json[inclusive ? 'minimum' : 'exclusiveMinimum'] = value
    if (check === 'less_than') json[inclusive ? 'maximum' : 'exclusiveMaximum'] = value
    if (check === 'multiple_of') json['multipleOf'] = value
  }
  return json
}

function sizes(schema: Core, min: string, max: string): JsonSchema {
  const json: JsonSchema = {}
  for (const { check, minimum, maximum, length } of checksOf(schema)) {
    if (check === 'min_length') json[min] = minimum
    if (check === 'max_length') json[max] = maximum
    if (check === 'length_equals') json[min] = json[max] = length
  }
  return json
}

function readTuple(def: Definition, path: string, describe: Describe): JsonSchema {
  const items = def['items'] as Core[]
  const least = items.findLastIndex((item) => item._zod.optin === undefined) + 1
  return {
    type: 'array',
    prefixItems: items.map((item, index) => describe(item, `${path}/prefixItems/${index}`)),
    minItems: least,
    ...(def['rest']
      ? { items: describe(def['rest'], `${path}/items`) }
      : { maxItems: items.length }),
  }
}

function readObject(def: Definition, path: string, describe: Describe): JsonSchema {
  const shape = def['shape'] as Record<string, Core>
  const rest = def['catchall']
  const required = Object.keys(shape).filter((name) => shape[name]?._zod.optin === undefined)
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(shape).map(([name, part]) => [
        name,
        describe(part, `${path}/properties/${name}`),
      ]),
    ),
    ...(required.length > 0 && { required }),
    ...(rest !== undefined && {
      additionalProperties:
        typeOf(rest) === 'never' ? false : describe(rest, `${path}/additionalProperties`),
    }),
  }
}

function typeOf(schema: unknown): unknown {
  return (schema as Core | undefined)?._zod.def['type']
}
