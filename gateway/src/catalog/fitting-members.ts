/**
 * Removes members of an entry that clients would refuse.
 *
 * Clients check a list as a whole: one `null` among the annotations of one tool would cost them the tools of all components.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/schema
 */
import { isArrayOf, isObject, isString } from 'ftl-contract'
import type { Kind } from './catalog.ts'
import { schemaProblem } from './schema-problem.ts'

/** The value if it fits, in the form of the protocol; otherwise `undefined`. */
type Read = (value: unknown, lose: Lose) => unknown

/** Notes what was left out of the value. @param at member of it: `.src`, `[0]` */
type Lose = (at: string, form: string) => undefined

interface Member {
  read: Read
  /** Goes on after `must be`. */
  form: string
}

type Members = Readonly<Record<string, Member>>

const is = (form: string, fits: (value: unknown) => boolean): Member => ({
  form,
  read: (value) => (fits(value) ? value : undefined),
})

const TEXT = is('a string', isString)
const FLAG = is('true or false', (value) => typeof value === 'boolean')
const NUMBER = is('a number', Number.isFinite)
const OBJECT = is('an object', isObject)

function objectOf(members: Members): Member {
  return {
    form: 'an object',
    read: (value, lose) => (isObject(value) ? fitting(value, members, lose) : undefined),
  }
}

const ICON: Members = {
  src: TEXT,
  mimeType: TEXT,
  sizes: {
    form: 'a list of strings',
    // A string up to 2025-06-18: "48x48 96x96".
    read: (value) =>
      isString(value)
        ? value.split(/\s+/).filter(Boolean)
        : isArrayOf(value, isString)
          ? value
          : undefined,
  },
  theme: is('"light" or "dark"', (value) => value === 'light' || value === 'dark'),
}

const ICONS: Member = {
  form: 'a list',
  read(value, lose) {
    if (!Array.isArray(value)) return undefined
    return sameOr(
      value,
      value.flatMap((icon: unknown, index) => {
        if (isObject(icon) && isString(icon.src)) {
          return [fitting(icon, ICON, (at, form) => lose(`[${index}]${at}`, form))]
        }
        lose(`[${index}]`, 'an object with a src')
        return []
      }),
    )
  },
}

const TOOL_ANNOTATIONS = objectOf({
  title: TEXT,
  readOnlyHint: FLAG,
  destructiveHint: FLAG,
  idempotentHint: FLAG,
  openWorldHint: FLAG,
})

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

const RESOURCE_ANNOTATIONS = objectOf({
  audience: is('a list of "user" and "assistant"', (value) =>
    isArrayOf(value, (role) => role === 'user' || role === 'assistant'),
  ),
  priority: is(
    'a number from 0 to 1',
    (value) => typeof value === 'number' && value >= 0 && value <= 1,
  ),
  lastModified: is(
    'a time in ISO 8601',
    (value) => isString(value) && DATE_TIME.test(value) && !isNaN(Date.parse(value)),
  ),
})

const INPUT: Member = {
  form: 'an object',
  read: (value, lose) => (isObject(value) ? fitting(value, SCHEMA, lose) : value),
}

const SCHEMA: Members = {
  $schema: TEXT,
  properties: {
    form: 'an object',
    read(value, lose) {
      if (!isObject(value)) return undefined
      const entries = Object.entries(value)
      const isSchema = (each: unknown) => isObject(each) || typeof each === 'boolean'
      if (entries.every(([, each]) => isSchema(each))) return value
      return Object.fromEntries(
        entries.map(([name, each]) => {
          if (isSchema(each)) return [name, each]
          lose(`.${name}`, 'a schema')
          return [name, {}]
        }),
      )
    },
  },
  required: {
    form: 'a list of names',
    read: (value) => (Array.isArray(value) ? sameOr(value, value.filter(isString)) : undefined),
  },
}

/** Some clients compile each of them when they read the list. */
const OUTPUT: Member = {
  form: 'a JSON Schema object',
  read(value, lose) {
    if (!isObject(value)) return undefined
    const problem = schemaProblem(value)
    if (problem === undefined) return value
    return lose('', `a JSON Schema that clients can use: ${problem}`)
  },
}

const COMMON = { title: TEXT, description: TEXT, icons: ICONS, _meta: OBJECT }

const OF_KIND: Readonly<Record<Kind, Members>> = {
  tools: {
    ...COMMON,
    annotations: TOOL_ANNOTATIONS,
    execution: objectOf({
      taskSupport: is('"required", "optional" or "forbidden"', (value) =>
        ['required', 'optional', 'forbidden'].includes(value as string),
      ),
    }),
    inputSchema: INPUT,
    outputSchema: OUTPUT,
  },
  prompts: COMMON,
  resources: { ...COMMON, annotations: RESOURCE_ANNOTATIONS, mimeType: TEXT, size: NUMBER },
  resourceTemplates: { ...COMMON, annotations: RESOURCE_ANNOTATIONS, mimeType: TEXT },
}

/**
 * @param lose gets what is left out, and what it must be.
 * @returns the same object if all members fit.
 */
export function withFittingMembers(
  kind: Kind,
  entry: Record<string, unknown>,
  lose: (what: string) => void,
): Record<string, unknown> {
  return fitting(entry, OF_KIND[kind], (at, form) => {
    lose(`its ${at.slice(1)} must be ${form}`)
    return
  })
}

function fitting(
  value: Record<string, unknown>,
  members: Members,
  lose: Lose,
): Record<string, unknown> {
  let changed: Record<string, unknown> | undefined
  for (const [name, { read, form }] of Object.entries(members)) {
    if (!Object.hasOwn(value, name)) continue
    let isTold = false
    const fit = read(value[name], (at, its) => {
      isTold = true
      return lose(`.${name}${at}`, its)
    })
    if (fit === value[name]) continue
    changed ??= { ...value }
    if (fit !== undefined) changed[name] = fit
    else {
      delete changed[name]
      if (!isTold) lose(`.${name}`, form)
    }
  }
  return changed ?? value
}

function sameOr(value: unknown[], read: unknown[]): unknown[] {
  return read.length === value.length && read.every((each, at) => each === value[at]) ? value : read
}
