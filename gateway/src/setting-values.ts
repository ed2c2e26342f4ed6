/** From the text of a variable to its value. */
import { isObject } from 'ftl-contract'
import { jsonIn, type Parse, type Refuse } from 'ftl-http'

// What a component may be called in spin.toml; anything else would change the address it becomes part of.
const COMPONENT = /^[a-z][a-z0-9_-]{0,62}$/

/** Whether `name` can be a component's name, and so may become part of an address. */
export function isComponentName(name: unknown): name is string {
  return typeof name === 'string' && COMPONENT.test(name)
}

/** The name of one component. @default 'code' */
export const codeComponent: Parse<string> = (text, refuse) =>
  text === '' ? 'code' : isComponentName(text) ? text : refuse('must be the name of a component')

/** Component names, and `name@place` for members of the component `place`: each name with its place, by default itself. */
export const components: Parse<ReadonlyMap<string, string>> = (text, refuse) => {
  const found = new Map<string, string>()
  for (const entry of text.startsWith('[') ? array(text, refuse) : text.split(',')) {
    if (typeof entry === 'string' && !entry.trim()) continue
    const parts = typeof entry === 'string' ? entry.trim().split('@') : [entry]
    if (parts[2] !== undefined || !parts.every(isComponentName)) {
      refuse(
        `names ${JSON.stringify(entry)}, which cannot be a component (lower-case letters, digits and hyphens)`,
      )
    }
    const [name = '', place = name] = parts as string[]
    found.set(name, place)
  }
  return found
}

function array(text: string, refuse: Refuse): unknown[] {
  const value = jsonIn(text)
  if (Array.isArray(value)) return value as unknown[]
  return refuse('starts like a JSON array but is not valid JSON')
}

// Above this a timer counts from the start again.
const LONGEST_MS = 2_147_483_647

/** @param least the smallest value that is allowed, if it is not just above 0. */
export function milliseconds(fallback: number, least = Number.MIN_VALUE): Parse<number> {
  return (text, refuse) => {
    if (text === '') return fallback
    const value = Number(text)
    if (value >= least && value <= LONGEST_MS) return value
    return refuse(`must be a number of milliseconds ${least === 0 ? 'from' : 'above'} 0`)
  }
}

export function count(fallback: number): Parse<number> {
  return (text, refuse) => {
    if (text === '') return fallback
    const value = Number(text)
    return Number.isSafeInteger(value) && value > 0
      ? value
      : refuse('must be a whole number above 0')
  }
}

export function oneOf<T extends string>(first: T, ...others: T[]): Parse<T> {
  const words = [first, ...others]
  return (text, refuse) =>
    text === ''
      ? first
      : (words.find((word) => word === text) ?? refuse(`must be one of ${words.join(', ')}`))
}

const SHORTEST_KEY = 16

// Says nothing of what it was given: the text goes to clients and logs.
export const key: Parse<string> = (text, refuse) =>
  text === '' || text.length >= SHORTEST_KEY
    ? text
    : refuse(`must have at least ${SHORTEST_KEY} characters`)

export const flag: Parse<boolean> = (text, wrong) =>
  ['true', 'false', ''].includes(text) ? text === 'true' : wrong('must be true or false')

/** How many of something; 0 for no limit. */
export const quota: Parse<number> = (text, refuse) =>
  /^\d{0,9}$/.test(text) ? Number(text) : refuse('must be a whole number, or 0 for no limit')

/** Reads the values of a variable with several. */
export interface NamedValues {
  read: <T>(name: string, parse: Parse<T>) => T
  /** Whether the value is there and not empty. */
  has: (name: string) => boolean
}

/** Names and values: `audit=on; jobs_per_day=20`. Of a name that comes twice, the last value counts. */
export function namedValues(
  text: string,
  names: readonly string[],
  example: string,
  refuse: Refuse,
): NamedValues {
  const values = new Map<string, string>()
  for (const part of text.split(';')) {
    if (part.trim() === '') continue
    const [name = '', value] = part.split('=', 2).map((word) => word.trim())
    if (value === undefined || !names.includes(name)) {
      return refuse(`must be names and values such as ${example}, of ${names.join(', ')}`)
    }
    values.set(name, value)
  }
  return {
    read: (name, parse) =>
      parse(values.get(name) ?? '', (problem) => refuse(`has "${name}", which ${problem}`)),
    has: (name) => (values.get(name) ?? '') !== '',
  }
}

export function jsonObject(text: string, refuse: Refuse): Record<string, unknown> {
  const value = jsonIn(text)
  return isObject(value) ? value : refuse('must be a JSON object')
}
