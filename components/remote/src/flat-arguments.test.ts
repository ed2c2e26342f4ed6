import { describe, expect, it } from 'vitest'
import { flatArguments } from './flat-arguments.ts'
import { usableTools } from './usable-tools.ts'

const text = { type: 'string' }
const number = { type: 'number' }
const object = (properties: object, required = Object.keys(properties), more: object = {}) => ({
  ...{ type: 'object', properties },
  ...(required.length > 0 && { required }),
  ...more,
})
function flat(schema: object) {
  const { schema: read, sentence } = flatArguments(schema as Record<string, unknown>)
  const text = sentence((name) => name)
  return { schema: read, ...(text !== undefined && { sentence: text }) }
}

// As servers in public reports send them.
describe('a schema with forms at its top', () => {
  it('has the members of all forms (Notion)', () => {
    const anyOf = [object({ content: text }), object({ source_url: text })]
    expect(flat({ type: 'object', anyOf })).toEqual({
      schema: object({ content: text, source_url: text }, []),
      sentence: 'Arguments: at least one of (content), (source_url).',
    })
  })

  it('keeps its own members where the forms only require some of them (Higgsfield, gitnexus)', () => {
    const members = object({ video: text, url: text, at: number }, ['at'])
    const oneOf = [{ required: ['video'] }, { required: ['url', 'at'] }]
    expect(flat({ ...members, oneOf })).toEqual({
      schema: members,
      sentence: 'Arguments: exactly one of (video), (url).',
    })
  })

  it('requires what each form does, and tells what distinguishes them', () => {
    const circle = object({ kind: { const: 'circle' }, radius: number })
    const line = object({ kind: { enum: ['line'] }, length: number, width: number }, [
      'kind',
      'length',
    ])
    expect(flat({ oneOf: [circle, line] })).toEqual({
      schema: object(
        {
          kind: { anyOf: [{ const: 'circle' }, { enum: ['line'] }] },
          ...{ radius: number, length: number, width: number },
        },
        ['kind'],
      ),
      sentence: 'Arguments: exactly one of (kind="circle", radius), (kind="line", length).',
    })
  })

  it('joins parts that must all fit, and references', () => {
    const $defs = { page: object({ page: number }, []), more: { $ref: '#/$defs/page' } }
    const allOf = [{ $ref: '#/$defs/more' }, object({ q: text })]
    expect(flat({ $defs, allOf, properties: { q: {}, own: text } })).toEqual({
      schema: { $defs, ...object({ q: text, own: text, page: number }, ['q']) },
    })
    expect(flat({ $ref: '#/$defs/page', $defs })).toEqual({
      schema: { $defs, ...object({ page: number }, []) },
    })
  })

  it('is closed if each form is', () => {
    const closed = { additionalProperties: false }
    const [a, b] = [object({ a: text }, [], closed), object({ b: text }, [], closed)]
    expect(flat({ anyOf: [a, b] }).schema).toEqual(object({ a: text, b: text }, [], closed))
    expect(flat({ anyOf: [a, object({ b: text }, [])] }).schema).not.toHaveProperty(
      'additionalProperties',
    )
    const patterns = { ...b, patternProperties: { '^x-': {} } }
    expect(flat({ anyOf: [a, patterns] }).schema).not.toHaveProperty('additionalProperties')
  })

  it('loses what is not about members, and forms that no object fits', () => {
    const schema = { type: 'object', not: {}, unevaluatedProperties: false, enum: [{}], const: {} }
    expect(flat({ ...schema, anyOf: [object({ a: text }), { type: 'null' }, false] })).toEqual({
      schema: object({ a: text }),
    })
  })
})

it('another schema is the same object', () => {
  const schema = object({ a: { anyOf: [text, number] } })
  expect(flat(schema).schema).toBe(schema)
})

it('names such as those of every object are names', () => {
  const anyOf = JSON.parse(
    '[{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}]',
  ) as object[]
  const { schema } = flat({ anyOf, $defs: {} })
  expect(Object.keys(schema['properties'] as object)).toEqual(['__proto__', 'constructor'])
  expect(flat({ $ref: '#/constructor' }).schema).toEqual(object({}, []))
})

describe('a schema of a hostile server is read in a time that grows with its size', () => {
  it.each<[string, object]>([
    ['references that lead to each other', { $ref: '#/$defs/a', $defs: { a: { $ref: '#' } } }],
    ['a reference that is no address', { $ref: '#/%', $defs: {} }],
    [
      'many references to a large form',
      {
        $defs: { large: object({ a: { description: 'x'.repeat(1_000_000) } }) },
        anyOf: Array.from({ length: 10_000 }, () => ({ $ref: '#/$defs/large' })),
      },
    ],
    [
      'many forms of one argument',
      { oneOf: Array.from({ length: 50_000 }, (_, nth) => object({ a: { const: nth } })) },
    ],
  ])('%s', (_, schema) => {
    expect(flat(schema).schema).toMatchObject({ type: 'object' })
  })
})

// anthropics/claude-code#81268: the model gets the first 2,048 characters.
it('which arguments belong together comes first where clients cut the end of the description', () => {
  const inputSchema = { type: 'object', anyOf: [object({ a: text }), object({ b: text })] }
  const described = (description: string) =>
    usableTools([{ name: 'x', description, inputSchema }], 100_000).tools[0]?.description
  const sentence = 'Arguments: at least one of (a), (b).'
  expect(described('Does it.')).toBe(`Does it.\n\n${sentence}`)
  const long = 'n'.repeat(2_000)
  expect(described(long)).toBe(`${sentence}\n\n${long}`)
})
