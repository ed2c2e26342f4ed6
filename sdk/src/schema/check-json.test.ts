import { describe, expect, it } from 'vitest'
import { createTool } from '../index.ts'
import type { ToolContext } from '../tool/context.ts'
import { checkJson } from './check-json.ts'
import { formatIssues } from './standard-schema.ts'

const problems = (schema: unknown, value: unknown) => formatIssues(checkJson(schema, value))
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

describe('plain JSON Schema refuses with path and rule', () => {
  it.each<[unknown, unknown, string]>([
    [{ type: 'string' }, 5, 'expected string, got number'],
    [{ type: ['string', 'null'] }, true, 'expected string or null, got boolean'],
    [{ type: 'integer' }, 1.5, 'expected integer, got number'],
    [
      object({ a: { type: 'array', items: { type: 'number' } } }),
      { a: [1, null] },
      'a[1]: expected number, got null',
    ],
    [object({}, { required: ['a', 'b'] }), { a: 1 }, 'b: is required'],
    [object({}, { additionalProperties: false }), { more: 1 }, 'more: is not allowed'],
    [
      object({}, { additionalProperties: { type: 'number' } }),
      { more: '' },
      'more: expected number, got string',
    ],
    [{ enum: ['a', 'b'] }, 'c', 'must be "a" or "b"'],
    [{ const: 5 }, 6, 'must be 5'],
    [{ type: 'string', minLength: 2 }, '🐉', 'must be at least 2 characters'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'must be at most 1 character'],
    [{ type: 'string', pattern: '^a' }, 'b', 'must match ^a'],
    [{ minimum: 1 }, 0, 'must be at least 1'],
    [{ exclusiveMaximum: 1 }, 1, 'must be less than 1'],
    [{ minItems: 1 }, [], 'must be at least 1 item'],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a', 'b'], '[1]: is not allowed'],
    [
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      5,
      'expected string, got number, or expected null, got number',
    ],
    [
      { anyOf: [object({ a: { type: 'string' } }), { type: 'null' }] },
      { a: 5 },
      'a: expected string, got number',
    ],
    [{ $ref: '#/$defs/x', $defs: { x: { type: 'string' } } }, 5, 'expected string, got number'],
  ])('%j, %j', (schema, value, message) => {
    expect(problems(schema, value)).toBe(message)
  })
})

describe('plain JSON Schema never refuses what it cannot judge', () => {
  it.each<[unknown, unknown]>([
    [true, 5],
    [{ not: {} }, 5],
    [{ format: 'email' }, 'x'],
    [{ $ref: 'https://example.com/x' }, 5],
    [{ $ref: '#/$defs/gone' }, 5],
    [{ $ref: '#' }, { deep: [] }],
    [{ pattern: '[' }, 'x'],
    [{ enum: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }],
    [{ type: 'integer' }, 5.0],
    [object({}, { additionalProperties: false, patternProperties: { '^x': {} } }), { xy: 1 }],
    [object({ toString: { type: 'string' } }), {}],
    [{ anyOf: [] }, 5],
    [{ minimum: 'five' }, 1],
  ])('%j, %j', (schema, value) => {
    expect(problems(schema, value)).toBe('')
  })
})

it('a component called directly hands its handler nothing its type excludes', async () => {
  const tool = createTool({
    metadata: { name: 'a', inputSchema: { type: 'object', properties: { n: { type: 'number' } } } },
    handler: ({ n }) => String(n?.toFixed(1)),
  })
  await expect(tool.call({ n: 'x' }, {} as ToolContext)).rejects.toThrow(
    'n: expected number, got string',
  )
})
