/**
 * Words the validator's findings: the path and the rule, nothing else.
 *
 * @module
 */
import type { OutputUnit } from '@cfworker/json-schema'
import type { ArgumentError } from './validate.ts'

/** Findings that only say that another finding lies below them. */
const WRAPPERS = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems'],
  ...['allOf', 'if', '$ref', '$recursiveRef', 'dependentSchemas'],
])

const CHOICES = new Set(['anyOf', 'oneOf'])

export function wordErrors(units: readonly OutputUnit[]): ArgumentError[] {
  const errors: ArgumentError[] = []
  const add = (error: ArgumentError) => {
    const known = errors.some((e) => e.path === error.path && e.message === error.message)
    if (!known) errors.push(error)
  }
  for (let index = 0; index < units.length; index++) {
    const unit = units[index]
    if (!unit || (WRAPPERS.has(unit.keyword) && hasCause(unit, units[index + 1]))) continue
    if (CHOICES.has(unit.keyword)) {
      // What each form would have wanted follows; all of it together is more than anyone can use.
      const below = `${unit.keywordLocation}/`
      const start = index
      while (units[index + 1]?.keywordLocation.startsWith(below)) index++
      add(wordChoice(unit, units.slice(start + 1, index + 1)))
    } else {
      add(wordUnit(unit))
    }
  }
  return errors
}

// "False boolean schema" carries the instance's location as its keyword's, so the two are told apart by place.
function hasCause(unit: OutputUnit, next: OutputUnit | undefined): boolean {
  return next !== undefined && next.instanceLocation.startsWith(unit.instanceLocation)
}

function wordChoice(unit: OutputUnit, findings: readonly OutputUnit[]): ArgumentError {
  const path = toPath(unit.instanceLocation)
  const onlyTypes = findings.every(
    ({ keyword, instanceLocation }) =>
      keyword === 'type' && instanceLocation === unit.instanceLocation,
  )
  if (!onlyTypes || findings.length === 0) {
    return { path, message: 'must have one of the forms the schema allows' }
  }
  return { path, message: `must be ${findings.map(expectedType).join(' or ')}` }
}

function wordUnit(unit: OutputUnit): ArgumentError {
  const path = toPath(unit.instanceLocation)
  if (unit.keyword === 'required') {
    return { path: below(path, quoted(unit.error)), message: 'is required' }
  }
  return { path, message: RULES[unit.keyword]?.(unit) ?? 'does not fit the schema' }
}

const RULES: Readonly<Record<string, (unit: OutputUnit) => string>> = {
  type: (unit) => `must be ${expectedType(unit)}`,
  false: () => 'is not allowed',
  enum: ({ error }) => `must be one of ${list(error)}`,
  const: ({ error }) => `must be ${error.replace(/^.*? match /s, '').replace(/\.$/, '')}`,
  not: () => 'has a form the schema excludes',
  minimum: (unit) => `must be at least ${lastNumber(unit)}`,
  maximum: (unit) => `must be at most ${lastNumber(unit)}`,
  exclusiveMinimum: (unit) => `must be greater than ${lastNumber(unit)}`,
  exclusiveMaximum: (unit) => `must be less than ${lastNumber(unit)}`,
  multipleOf: (unit) => `must be a multiple of ${lastNumber(unit)}`,
  minLength: (unit) => `must have at least ${lastNumber(unit)} characters`,
  maxLength: (unit) => `must have at most ${lastNumber(unit)} characters`,
  minItems: (unit) => `must have at least ${lastNumber(unit)} items`,
  maxItems: (unit) => `must have at most ${lastNumber(unit)} items`,
  minProperties: (unit) => `must have at least ${lastNumber(unit)} properties`,
  maxProperties: (unit) => `must have at most ${lastNumber(unit)} properties`,
  uniqueItems: () => 'must not have equal items',
  contains: () => 'must contain an item the schema asks for',
  pattern: () => 'must match the pattern in the schema',
  format: ({ error }) => `must be a valid ${quoted(error)}`,
  propertyNames: ({ error }) => `must not have a property named "${quoted(error)}"`,
  dependentRequired: ({ error }) =>
    error.replace(/^Instance has (.*) but .* (".*")\.$/, 'needs $2 because it has $1'),
}

/** `"string", "null"` becomes `string or null`. */
function expectedType({ error }: OutputUnit): string {
  const [, types = ''] = /Expected "(.*)"\.$/.exec(error) ?? []
  return types.split('", "').join(' or ')
}

function lastNumber({ error }: OutputUnit): string {
  return /(-?[\d.]+(?:e[+-]?\d+)?)\D*$/i.exec(error.replace(/\.$/, ''))?.[1] ?? ''
}

function quoted(error: string): string {
  return /"(.*)"/.exec(error)?.[1] ?? ''
}

function list(error: string): string {
  const [, text = '[]'] = /any of (\[.*\])\.$/s.exec(error) ?? []
  return (JSON.parse(text) as unknown[]).map((value) => JSON.stringify(value)).join(', ')
}

/** `#/items/0/name` becomes `items[0].name`. */
function toPath(location: string): string {
  return location
    .split('/')
    .slice(1)
    .map((part) => decodeURI(part).replace(/%23/g, '#').replace(/~1/g, '/').replace(/~0/g, '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : below(path, part)), '')
}

function below(path: string, part: string): string {
  return path === '' ? part : `${path}.${part}`
}
