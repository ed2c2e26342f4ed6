/**
 * A schema of arguments without forms at its top.
 *
 * Anthropic and OpenAI refuse a request, with all of its tools, if the schema of one has `anyOf`, `oneOf` or `allOf` there. All
 * members that some form has are published, and required is what each form requires. The server checks the arguments. Which of
 * them belong together is told in words.
 *
 * @see https://github.com/makenotion/notion-mcp-server/issues/341
 */
import { isObject, isString, type JsonSchema, memberOf } from 'ftl-contract'

export interface FlatArguments {
  /** The same object if it has no forms at its top. */
  schema: JsonSchema
  /**
   * Which arguments belong together, for the description of the tool.
   *
   * @param nameOf what an argument is called there.
   * @returns `undefined` if that is not to be told, or takes too many words.
   */
  told: (nameOf: (name: string) => string) => string | undefined
}

/** What providers do not take at the top, and references, because few look where they lead. */
const NOT_AT_TOP = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'enum', 'const']

/** Would refuse what forms know. */
const OF_THE_REST = 'unevaluatedProperties'

/** Forms in forms that are read. */
const DEEPEST = 8
/** Schemas of one argument that are published. */
const MOST_SCHEMAS = 20
/** Forms that are told, and their characters. */
const MOST_TOLD = 8
const LONGEST = 400

/** What a schema says of an object. */
interface Members {
  /** By name: one of these fits. */
  schemas: ReadonlyMap<string, ReadonlySet<unknown>>
  required: ReadonlySet<string>
  /** It has no others. */
  isClosed: boolean
}

const ANY: Members = { schemas: new Map(), required: new Set(), isClosed: false }

/** @param schema parsed JSON. It is not changed. */
export function flatArguments(schema: JsonSchema): FlatArguments {
  if (!NOT_AT_TOP.some((name) => Object.hasOwn(schema, name)))
    return { schema, told: () => undefined }
  const reader = new Reader(schema)
  const { schemas, required, isClosed } = reader.members(schema, 0) ?? ownMembers(schema)
  const left = [...NOT_AT_TOP, OF_THE_REST, 'required']
  const kept = Object.entries(schema).filter(([name]) => !left.includes(name))
  const flat: JsonSchema = {
    ...Object.fromEntries(kept),
    type: 'object',
    properties: Object.fromEntries([...schemas].map(([name, some]) => [name, oneSchema(some)])),
    ...(required.size > 0 && { required: [...required] }),
    ...(isClosed && { additionalProperties: false }),
  }
  return { schema: flat, told: (nameOf) => reader.told(schema, required, nameOf) }
}

class Reader {
  readonly #root: JsonSchema
  /** Each schema is read once, however many references lead to it. */
  readonly #read = new Map<unknown, Members | undefined>()

  constructor(root: JsonSchema) {
    this.#root = root
  }

  /** @returns `undefined` if no object fits. */
  members(schema: unknown, depth: number): Members | undefined {
    if (!isObject(schema)) return schema === false ? undefined : ANY
    if (depth > DEEPEST) return ANY
    if (this.#read.has(schema)) return this.#read.get(schema)
    // What leads back to itself says nothing more.
    this.#read.set(schema, ANY)
    const members = this.#members(schema, depth)
    this.#read.set(schema, members)
    return members
  }

  /** @param always what is required in any case. */
  told(
    schema: JsonSchema,
    always: ReadonlySet<string>,
    nameOf: (name: string) => string,
  ): string | undefined {
    const name = ['oneOf', 'anyOf'].find((each) => listOf(schema[each]).length > 1)
    const forms = name === undefined ? [] : listOf(schema[name])
    if (forms.length === 0 || forms.length > MOST_TOLD) return undefined
    const texts = forms.map((form) => toldForm(this.members(form, 1) ?? ANY, always, nameOf))
    const which = name === 'oneOf' ? 'exactly one' : 'at least one'
    const told = `Arguments: ${which} of (${texts.join('), (')}).`
    return texts.includes('') || told.length > LONGEST ? undefined : told
  }

  #members(schema: JsonSchema, depth: number): Members | undefined {
    const { type, $ref } = schema
    if (type !== undefined && ![type].flat().includes('object')) return undefined
    const all: (Members | undefined)[] = [ownMembers(schema)]
    if (isString($ref)) all.push(this.members(this.#target($ref), depth + 1))
    for (const part of listOf(schema['allOf'])) all.push(this.members(part, depth + 1))
    for (const name of ['anyOf', 'oneOf']) {
      const forms = listOf(schema[name])
      if (forms.length > 0) all.push(eitherOf(forms.map((form) => this.members(form, depth + 1))))
    }
    const fitting = all.filter((each) => each !== undefined)
    return fitting.length < all.length && depth > 0 ? undefined : allOf(fitting)
  }

  /** @returns `true`, which anything fits, if it leads elsewhere. */
  #target(ref: string): unknown {
    if (ref !== '#' && !ref.startsWith('#/')) return true
    const parts = ref.split('/').slice(1)
    return parts.reduce<unknown>((at, part) => memberOf(at, memberNamed(part)), this.#root) ?? true
  }
}

function ownMembers({ properties, required, ...schema }: JsonSchema): Members {
  const entries = isObject(properties) ? Object.entries(properties) : []
  return {
    schemas: new Map(entries.map(([name, each]) => [name, new Set([each])])),
    required: new Set(listOf(required).filter(isString)),
    isClosed: schema['additionalProperties'] === false && !('patternProperties' in schema),
  }
}

/** Of what each says of a member, what says most stays. */
function allOf(all: readonly Members[]): Members {
  const schemas = new Map<string, ReadonlySet<unknown>>()
  for (const members of all) {
    for (const [name, some] of members.schemas) {
      if (!schemas.has(name) || saysNothing(schemas.get(name))) schemas.set(name, some)
    }
  }
  return {
    schemas,
    required: new Set(all.flatMap(({ required }) => [...required])),
    isClosed: all.some(({ isClosed }) => isClosed),
  }
}

/** @returns `undefined` if no object fits any. */
function eitherOf(forms: readonly (Members | undefined)[]): Members | undefined {
  const [first, ...others] = new Set(forms.filter((form) => form !== undefined))
  if (first === undefined) return undefined
  const schemas = new Map<string, Set<unknown>>()
  for (const form of [first, ...others]) {
    for (const [name, some] of form.schemas) {
      const known = schemas.get(name) ?? new Set()
      schemas.set(name, known)
      for (const each of some) known.add(each)
    }
  }
  return {
    schemas,
    required: new Set(
      [...first.required].filter((name) => others.every((o) => o.required.has(name))),
    ),
    isClosed: [first, ...others].every(({ isClosed }) => isClosed),
  }
}

function saysNothing(some: ReadonlySet<unknown> | undefined): boolean {
  const [only] = some ?? []
  return some?.size === 1 && (only === true || (isObject(only) && Object.keys(only).length === 0))
}

function oneSchema(some: ReadonlySet<unknown>): unknown {
  if (some.size > MOST_SCHEMAS) return {}
  const different = [...new Map([...some].map((each) => [JSON.stringify(each), each])).values()]
  return different.length === 1 ? different[0] : { anyOf: different }
}

function toldForm(
  { required, schemas }: Members,
  always: ReadonlySet<string>,
  nameOf: (name: string) => string,
): string {
  const told = [...required].flatMap((name) => {
    const [only, ...more] = schemas.get(name) ?? []
    const value =
      more.length > 0 ? undefined : (memberOf(only, 'const') ?? onlyOne(memberOf(only, 'enum')))
    if (value !== undefined) return [`${nameOf(name)}=${JSON.stringify(value)}`]
    return always.has(name) ? [] : [nameOf(name)]
  })
  return told.join(', ')
}

const onlyOne = (list: unknown): unknown =>
  Array.isArray(list) && list.length === 1 ? (list[0] as unknown) : undefined

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Of a JSON pointer in a reference. */
function memberNamed(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}
