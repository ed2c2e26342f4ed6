import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { UnusableSchema } from './validation-state.ts'
import { validate } from './validate.ts'

interface Group {
  description: string
  schema: Record<string, unknown> | boolean
  tests: { description: string; data: unknown; valid: boolean }[]
}

/** A deliberate deviation from the suite. The list is exact: a listed test that behaves as the suite expects fails. */
interface Exception {
  file: string
  /** Without `group` the whole file, without `test` the whole group. */
  group?: RegExp
  test?: RegExp
  /** The actual result: a part of the error message, or whether the value is valid. */
  instead: string | boolean
}

const NOT_FETCHED = 'leads nowhere: other documents are not fetched'
const OUT_OF_SCOPE: Exception[] = [
  // References to other documents, including the published meta-schemas.
  { file: 'refRemote', instead: NOT_FETCHED },
  { file: 'ref', group: /^remote ref, containing refs itself$/, instead: NOT_FETCHED },
  { file: 'defs', instead: NOT_FETCHED },
  { file: 'definitions', instead: NOT_FETCHED },
  {
    file: 'dynamicRef',
    group: /^strict-tree|^tests for implementation|independent of order|detached \$dynamicAnchor$/,
    instead: NOT_FETCHED,
  },
  // Custom dialects.
  { file: 'vocabulary', instead: 'is not supported' },
  // In 2020-12 the application decides whether a format is validated. These formats are.
  {
    file: 'format',
    group: /^(email|ipv4|ipv6|hostname|date|date-time|time|uri|uuid) format$/,
    test: /only an annotation by default$/,
    instead: false,
  },
  // Leap seconds are not checked against a calendar or against midnight UTC.
  { file: 'optional/format/time', test: /invalid.* leap second/, instead: true },
  { file: 'optional/format/date-time', test: /with leap second on a wrong/, instead: true },
  // The text between the brackets is not checked.
  { file: 'optional/format/email', test: /^an invalid IPv4-address-literal$/, instead: true },
]

const SUITE = { 'draft2020-12': read('draft2020-12'), draft7: read('draft7') }

describe.each([
  ['draft2020-12', 'https://json-schema.org/draft/2020-12/schema'],
  ['draft7', 'http://json-schema.org/draft-07/schema#'],
] as const)('the official tests of %s', (draft, $schema) => {
  const groups = Object.entries(SUITE[draft]).flatMap(([name, groups]) =>
    groups.map((group) => [name, group.description, group] as const),
  )

  it.each(groups)('%s: %s', (name, _, group) => {
    // A published schema is an object; only a subschema may be true or false.
    const { schema: form } = group
    const schema = { $schema, ...(typeof form === 'boolean' ? { allOf: [form] } : form) }
    for (const { description, data, valid } of group.tests) {
      const listed = exception(name, group.description, description)
      const instead = listed ? listed.instead : valid
      if (listed) expect(instead, `${description}: is no exception`).not.toBe(valid)
      expect(answer(schema, data), description).toEqual(
        typeof instead === 'string' ? expect.stringContaining(instead) : instead,
      )
    }
  })
})

it('the list of exceptions has no entry of which the suite knows nothing', () => {
  const used = Object.values(SUITE)
    .flatMap((files) => Object.entries(files))
    .flatMap(([file, groups]) =>
      groups.flatMap(({ description, tests }) =>
        tests.map((test) => exception(file, description, test.description)),
      ),
    )
  expect(new Set(used.filter((entry) => entry !== undefined))).toEqual(new Set(OUT_OF_SCOPE))
})

function exception(file: string, group: string, test: string): Exception | undefined {
  return OUT_OF_SCOPE.find(
    (entry) =>
      entry.file === file && (entry.group?.test(group) ?? true) && (entry.test?.test(test) ?? true),
  )
}

function answer(schema: Record<string, unknown>, value: unknown): boolean | string {
  try {
    return validate(schema, value).length === 0
  } catch (error) {
    if (error instanceof UnusableSchema) return error.message
    throw error
  }
}

function read(draft: string): Record<string, Group[]> {
  const file = new URL(`../testing/json-schema-suite/${draft}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Group[]>
}
