/**
 * Arguments under names that providers of models take: Anthropic refuses a request, with all of its tools, for one name with
 * another character, or a longer one. APIs have them (`DateCreated<`, `rule_name[]`), and servers pass them on.
 *
 * @see https://github.com/twilio-labs/mcp/issues/56
 */
import { isObject, isString, type JsonSchema } from 'ftl-contract'

export interface NamedArguments {
  /** The same object if all names can be taken. */
  schema: JsonSchema
  /** By published name: the server's. Only those that differ. */
  own?: Record<string, string>
  nameOf: (name: string) => string
}

const NAME = /^[a-zA-Z0-9_.-]{1,64}$/
const LONGEST = 64

/** What would be lost, and tells arguments apart. */
const WORDS: Readonly<Record<string, string>> = { '<': '_lt', '>': '_gt' }

/** Keywords of the top that name arguments, and permit more if they are left out. */
const NAMING = [
  ...['dependentRequired', 'dependentSchemas', 'dependencies', 'if', 'then', 'else'],
  'propertyNames',
]

/** @param schema parsed JSON. It is not changed. */
export function namedArguments(schema: JsonSchema): NamedArguments {
  const { properties } = schema
  const same = { schema, nameOf: (name: string) => name }
  if (!isObject(properties)) return same
  const names = Object.keys(properties)
  if (names.every((name) => NAME.test(name))) return same
  const free = new Names(names.filter((name) => NAME.test(name)))
  const renamed = names.filter((name) => !NAME.test(name))
  const published = new Map(renamed.map((name) => [name, free.freeFor(name)]))
  const nameOf = (name: string) => published.get(name) ?? name
  const members = Object.entries(properties).map(([name, each]): [string, unknown] => {
    return [nameOf(name), published.has(name) ? described(each, name) : each]
  })
  const required = Array.isArray(schema['required']) ? schema['required'].filter(isString) : []
  const rest = Object.entries(schema).filter(([name]) => !NAMING.includes(name))
  return {
    schema: {
      ...Object.fromEntries(rest),
      properties: Object.fromEntries(members),
      ...(required.length > 0 && { required: required.map(nameOf) }),
    },
    own: Object.fromEntries([...published].map(([name, other]) => [other, name])),
    nameOf,
  }
}

/** @param own see {@link NamedArguments.own} @returns what the server gets. */
export function ownArguments(
  args: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, unknown>> {
  if (own === undefined) return args
  const entries = Object.entries(args)
  const isPublished = ([name]: readonly [string, unknown]) => Object.hasOwn(own, name)
  const others = entries.filter((entry) => !isPublished(entry))
  const published = entries.filter(isPublished).map(([name, value]) => [own[name], value])
  // Last: the gateway has checked these.
  return Object.fromEntries([...others, ...published]) as Record<string, unknown>
}

class Names {
  readonly #taken: Set<string>
  /** The last number of each row of names that begin the same: a row is not searched from its beginning again. */
  readonly #counts = new Map<string, number>()

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken)
  }

  freeFor(name: string): string {
    const words = name
      .replace(/[<>]/g, (mark) => WORDS[mark] ?? '')
      .split(/[^a-zA-Z0-9_.-]+/)
      .filter((word) => word !== '')
    const base = (words.join('_') || 'argument').slice(0, LONGEST)
    let count = this.#counts.get(base) ?? 0
    let free = base
    while (this.#taken.has(free)) free = numbered(base, ++count)
    this.#counts.set(base, count)
    this.#taken.add(free)
    return free
  }
}

/** The first of a row has no number. */
function numbered(base: string, count: number): string {
  const ending = `_${count + 1}`
  return base.slice(0, LONGEST - ending.length) + ending
}

/** A model reads of the API elsewhere, where an argument has its own name. */
function described(schema: unknown, name: string): unknown {
  const said = `${JSON.stringify(name)} of the server.`
  if (!isObject(schema)) return schema === true ? { description: said } : schema
  const { description } = schema
  return { ...schema, description: isString(description) ? `${said} ${description}` : said }
}
