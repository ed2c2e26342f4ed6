/** From the text of the variable `policy` to the policy. */
import { isObject, isString } from 'ftl-contract'
import { findRepeatedKey, hasRepeatedKey } from './json-keys.ts'
import { type Hint, HINTS } from '../catalog/annotation-hints.ts'
import { EFFECTS } from '../permissions.ts'
import {
  ACTIONS,
  type Action,
  NAME_LISTS,
  type NameList,
  type Policy,
  type Rule,
  SIGNED_IN,
} from './policy.ts'

/** Characters of the text: every request reads it. */
export const POLICY_LIMIT = 65_536
const RULE_LIMIT = 500
/** Entries of one list. */
const NAMES_LIMIT = 500
/** Characters of a name. */
const NAME_LIMIT = 512
/** Characters of an unknown key that the error shows. */
const SHOWN = 64

/** The policy is not valid. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError'
  /** The field, such as `rules[2].tools[0]`; empty for the whole text. */
  readonly path: string
  constructor(path: string, problem: string) {
    super(path === '' ? problem : `${path} ${problem}`)
    this.path = path
  }
}

type Fields = Readonly<Record<string, unknown>>

const RULE_KEYS: readonly string[] = ['name', 'effect', ...NAME_LISTS, 'actions', 'annotations']

/**
 * @returns `undefined` for an empty text: there is no policy.
 * @throws {PolicyError}
 */
export function parsePolicy(text: string): Policy | undefined {
  if (text === '') return undefined
  if (text === SIGNED_IN) return { rules: [], signedIn: true }
  if (text.length > POLICY_LIMIT) {
    throw new PolicyError('', `it must have at most ${POLICY_LIMIT} characters`)
  }
  const value = parsed(text)
  const { rules } = fieldsOf(value, '', ['rules'])
  if (!Array.isArray(rules)) throw new PolicyError('rules', 'must be a list of rules')
  if (rules.length > RULE_LIMIT) {
    throw new PolicyError('rules', `must have at most ${RULE_LIMIT} rules`)
  }
  const strings = new Strings()
  strings.add(0)
  const list = (rules as unknown[]).map((rule, place) => ruleOf(rule, place, strings))
  if (hasRepeatedKey(text, strings.count)) {
    const key = JSON.stringify(findRepeatedKey(text)?.slice(0, SHOWN))
    throw new PolicyError('', `it has the key ${key} twice in one object`)
  }
  return { rules: list }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new PolicyError('', `it must be the word ${SIGNED_IN} or JSON: { "rules": [ … ] }`)
  }
}

/** @throws {PolicyError} for a value that is not an object with these keys. */
function fieldsOf(value: unknown, path: string, keys: readonly string[]): Fields {
  const it = path === '' ? 'it ' : ''
  if (!isObject(value)) throw new PolicyError(path, `${it}must be an object`)
  let unknown: string | undefined
  for (const key of Object.keys(value)) if (!keys.includes(key)) unknown ??= key
  if (unknown === undefined) return value
  const shown = JSON.stringify(unknown.slice(0, SHOWN))
  throw new PolicyError(path, `${it}has the unknown key ${shown}: the keys are ${keys.join(', ')}`)
}

/** How many keys and other strings the value has: what the text has besides is lost. */
class Strings {
  count = 0

  add(values: number): void {
    this.count += 1 + values
  }
}

/**
 * Every request does this, in an interpreter: so it looks at the keys that are there and not at all that could be, and
 * words the path of a field only for an error.
 */
function ruleOf(value: unknown, place: number, strings: Strings): Rule {
  const fields = fieldsOf(value, `rules[${place}]`, RULE_KEYS)
  const rule: Rule = { effect: oneOf(EFFECTS, fields.effect, place, 'effect') }
  for (const key of Object.keys(fields)) {
    const given = fields[key]
    if (key === 'effect') strings.add(1)
    else if (key === 'name') {
      rule.name = titleOf(given, place)
      strings.add(1)
    } else if (key === 'actions') {
      rule.actions = listOf(given, place, key).map((action, at): Action =>
        oneOf(ACTIONS, action, place, `actions[${at}]`),
      )
      strings.add(rule.actions.length)
    } else if (key === 'annotations') {
      rule.annotations = hintsOf(given, `rules[${place}].annotations`)
      strings.add(Object.keys(rule.annotations ?? {}).length)
    } else {
      const list = key as NameList
      const names = namesOf(list, given, place)
      rule[list] = names
      strings.add(names.length)
    }
  }
  return rule
}

function problem(place: number, field: string, text: string): PolicyError {
  return new PolicyError(`rules[${place}].${field}`, text)
}

function oneOf<T extends string>(
  words: readonly T[],
  value: unknown,
  place: number,
  field: string,
): T {
  if (words.includes(value as T)) return value as T
  throw problem(place, field, `must be one of ${words.join(', ')}`)
}

/** Names of rules go to logs and terminals. */
const TITLE =
  /^[^\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]{1,100}$/

function titleOf(value: unknown, place: number): string {
  if (isString(value) && TITLE.test(value)) return value
  throw problem(place, 'name', 'must be a string of 1 to 100 visible characters')
}

/** An empty list could mean all or nothing. */
function listOf(value: unknown, place: number, field: string): unknown[] {
  if (!Array.isArray(value)) throw problem(place, field, 'must be a list')
  if (value.length === 0) {
    throw problem(place, field, EMPTY)
  }
  if (value.length > NAMES_LIMIT) {
    throw problem(place, field, `must have at most ${NAMES_LIMIT} entries`)
  }
  return value as unknown[]
}

const ASCII = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/
const SCOPE = /^[\x21\x23-\x29\x2b-\x5b\x5d-\x7e]+$/
const PUBLISHED = { is: /^[A-Za-z0-9_.*-]+$/, form: 'letters, digits and _ . - *' }

const EMPTY = 'must not be empty: leave the key out instead'

/** What the names of a list can contain. Any other name is a mistake, because nothing could match it. */
const FORMS: Record<NameList, { is: RegExp; form: string }> = {
  principals: { is: ASCII, form: 'ASCII characters' },
  groups: { is: /^[^\x00-\x1f\x7f-\x9f]+$/, form: 'characters without control characters' },
  // A response names the scopes that are missing, so each must be written out.
  scopes: { is: SCOPE, form: 'the characters of a scope, without spaces, quotes and *' },
  components: PUBLISHED,
  tools: PUBLISHED,
  prompts: PUBLISHED,
  resources: { is: /^[!-~\u00a1-\uffff]+$/, form: 'the characters of an address' },
}

function namesOf(list: NameList, value: unknown, place: number): string[] {
  const { is, form } = FORMS[list]
  const names = listOf(value, place, list)
  // One test of all names takes less time than a test of each.
  if (areShort(names)) {
    const all = names.join('')
    if (!all.includes(' ') && is.test(all)) return names
  }
  return names.map((name, at) => {
    if (isString(name) && name.length <= NAME_LIMIT && is.test(name)) return name
    throw problem(
      place,
      `${list}[${at}]`,
      `must be a string of 1 to ${NAME_LIMIT} characters: ${form}`,
    )
  })
}

function areShort(names: readonly unknown[]): names is string[] {
  for (const name of names) {
    if (!isString(name) || name === '' || name.length > NAME_LIMIT) return false
  }
  return true
}

function hintsOf(value: unknown, path: string): Rule['annotations'] {
  const fields = fieldsOf(value, path, HINTS)
  const hints = Object.keys(fields) as Hint[]
  if (hints.length === 0) throw new PolicyError(path, EMPTY)
  const wrong = hints.find((hint) => typeof fields[hint] !== 'boolean')
  if (wrong !== undefined) throw new PolicyError(`${path}.${wrong}`, 'must be true or false')
  return fields
}
