/** Which members the forms of a schema have, however they are put together. */
import { isObject, isString, type JsonSchema, referred } from 'ftl-contract'

/** Forms in forms that are read. */
const DEEPEST = 8

/** What a schema says of an object. */
export interface Members {
  /** By name: one of these fits. */
  schemas: ReadonlyMap<string, ReadonlySet<unknown>>
  required: ReadonlySet<string>
  /** It has no others. */
  isClosed: boolean
}

/** Any object. */
export const ANY: Members = { schemas: new Map(), required: new Set(), isClosed: false }

/** Reads the members of the schemas within one. */
export class FormReader {
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

  #members(schema: JsonSchema, depth: number): Members | undefined {
    const { type, $ref } = schema
    if (type !== undefined && ![type].flat().includes('object')) return undefined
    const all: (Members | undefined)[] = [ownMembers(schema)]
    // What leads elsewhere says nothing.
    if ($ref !== undefined) all.push(this.members(referred(this.#root, $ref) ?? true, depth + 1))
    for (const part of listOf(schema['allOf'])) all.push(this.members(part, depth + 1))
    for (const name of ['anyOf', 'oneOf']) {
      const forms = listOf(schema[name])
      if (forms.length > 0) all.push(eitherOf(forms.map((form) => this.members(form, depth + 1))))
    }
    const fitting = all.filter((each) => each !== undefined)
    return fitting.length < all.length && depth > 0 ? undefined : allOf(fitting)
  }
}

export function ownMembers({ properties, required, ...schema }: JsonSchema): Members {
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

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
