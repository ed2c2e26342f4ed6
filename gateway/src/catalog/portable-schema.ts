/**
 * A published schema in the form that most readers understand, with exactly the same valid values.
 *
 * The loaders of agent frameworks know a part of JSON Schema only: a list of types, `items: false` or `true` as a schema
 * costs several of them the whole list of tools. What cannot be said otherwise without a change of its meaning stays.
 *
 * @see docs/clients.md, "Agent frameworks"
 */
import { isObject, type ToolDescription } from 'ftl-contract'
import { MAPS, SCHEMAS } from '../schema/references.ts'
import { NEWEST } from '../schema/validate.ts'
import { withEnum, withTypeOfValues } from './constant-forms.ts'
import { withFormPerType } from './form-per-type.ts'

type Schema = Record<string, unknown>

/** Levels of schemas that are read; deeper ones stay as they are. */
const DEEPEST = 100

/** A reference into a part that could be written otherwise, and a header that is looked for by its place. */
const BOUND_TO_PLACES =
  /"\$(?:ref|dynamicRef|recursiveRef)":"[^"#]*#\/(?!(?:\$defs|definitions)\/[^/"]+")|"x-mcp-header"/

/** @returns the tool with such schemas; the rest of it is the same. */
export function withPortableSchemas(tool: ToolDescription): ToolDescription {
  const { inputSchema, outputSchema } = tool
  const input = portableSchema(notNull(inputSchema))
  return {
    ...tool,
    // Several readers require it, and so does OpenAI: "object schema missing properties".
    inputSchema: input.properties === undefined ? withNoProperties(input) : input,
    ...(outputSchema && { outputSchema: portableSchema(notNull(outputSchema)) }),
  }
}

/** Arguments and structured content are objects, and official clients require that their schemas say so. */
function notNull({ nullable: _, ...rest }: Schema): Schema {
  return rest
}

function withNoProperties({ type, ...rest }: Schema): Schema {
  return { type, properties: {}, ...rest }
}

/** @param schema parsed JSON. It is not changed. */
export function portableSchema(schema: Schema): Schema {
  const { $schema } = schema
  const isNewest = $schema === undefined || $schema === NEWEST
  const text = JSON.stringify(schema)
  if (BOUND_TO_PLACES.test(text)) return schema
  return new Writer(isNewest, !text.includes('"unevaluatedItems"')).portable(schema, 0)
}

function isFlag(key: string, value: unknown): boolean {
  return value === false || (value === true && /^(additional|unevaluated)/.test(key))
}

class Writer {
  readonly #isNewest: boolean
  /** A word on items changes nothing. */
  readonly #saysItems: boolean

  constructor(isNewest: boolean, saysItems: boolean) {
    this.#isNewest = isNewest
    this.#saysItems = saysItems
  }

  portable(schema: Schema, depth: number): Schema {
    if (depth > DEEPEST) return schema
    const members = Object.entries(schema).map(([key, value]): [string, unknown] => {
      if (MAPS.test(key) && isObject(value)) return [key, this.#mapOf(value, depth)]
      // Readers know that some may be booleans.
      if (!SCHEMAS.test(key) || isFlag(key, value)) return [key, value]
      return Array.isArray(value)
        ? [key, value.map((each) => this.#below(each, depth))]
        : [key, this.#below(value, depth)]
    })
    const inside: Schema = Object.fromEntries(members)
    // Up to draft 7, what stands beside a reference says nothing.
    if (inside.$ref !== undefined) return inside
    const known = withoutNames(this.#isNewest ? withoutRest(inside) : inside)
    const said = this.#saysItems ? withItems(known) : known
    return withFormPerType(withTypeOfValues(withEnum(said)))
  }

  #mapOf(schemas: Schema, depth: number): Schema {
    const members = Object.entries(schemas).map(([name, each]): [string, unknown] => [
      name,
      this.#below(each, depth),
    ])
    return Object.fromEntries(members)
  }

  #below(value: unknown, depth: number): unknown {
    if (typeof value === 'boolean') return value ? {} : { not: {} }
    return isObject(value) ? this.portable(value, depth + 1) : value
  }
}

/** Zod writes for a record that its names are strings, as all are. */
function withoutNames(schema: Schema): Schema {
  const { propertyNames, ...rest } = schema
  const isNothing =
    isObject(propertyNames) &&
    propertyNames.type === 'string' &&
    Object.keys(propertyNames).length === 1
  return isNothing ? rest : schema
}

/** A tuple without further items: the number of items says the same. */
function withoutRest(schema: Schema): Schema {
  const { items, ...rest } = schema
  const { prefixItems, maxItems = Infinity } = rest
  if (items !== false || !Array.isArray(prefixItems) || typeof maxItems !== 'number') return schema
  return { ...rest, maxItems: Math.min(maxItems, prefixItems.length) }
}

/**
 * A list of anything says so. OpenAI refuses a request, with all of its tools, for one that does not ("array schema missing
 * items"), also for a tuple, and VS Code leaves the tool out.
 *
 * @see https://github.com/microsoft/vscode/issues/244467
 */
function withItems(schema: Schema): Schema {
  const { type, items = {} } = schema
  return [type].flat().includes('array') ? { ...schema, items } : schema
}
