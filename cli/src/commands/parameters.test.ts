import { describe, expect, it } from 'vitest'
import { parameterLines, refuseMistyped, unknownText } from './parameters.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Whom to greet\nand how' },
    size: { enum: ['a4', 'a3'], default: 'a4' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['name'],
}

it('lists name, type, whether it is required, default and description', () => {
  expect(parameterLines(SCHEMA)).toEqual([
    `  name  string, required${' '.repeat(9 + 2)}Whom to greet`,
    '  size  "a4" | "a3", default "a4"',
    '  tags  list of string, optional',
  ])
})

it('lists some of many choices, and one long type does not move the other descriptions', () => {
  const models = Array.from({ length: 50 }, (_, index) => `model-${index}.safetensors`)
  const properties = {
    model: { enum: models, description: 'Model file' },
    prompt: { type: 'string', description: 'What the image shows' },
  }
  const [model = '', prompt] = parameterLines({ properties })
  expect(model).toMatch(/"model-0\.safetensors" \| .* \| … 42 more, optional {2}Model file$/)
  expect(model).not.toContain('model-8.')
  expect(prompt).toBe('  prompt  string, optional  What the image shows')
})

it.each([undefined, null, 'x', [], { properties: 1 }, { properties: { a: null }, required: 7 }])(
  'reads the schema %j without failing',
  (schema) => expect(() => parameterLines(schema)).not.toThrow(),
)

it('shows control characters of a server instead of obeying them', () => {
  const properties = { '\x1b[2J': { type: '\x1b[1A', description: '\x1b]0;x\x07' } }
  expect(parameterLines({ properties }).join()).not.toContain('\x1b')
})

describe('a parameter with a mistake of typing', () => {
  it('is refused with the one that was meant', () => {
    expect(() => refuseMistyped('greet', ['nmae=Ada'], SCHEMA)).toThrow('did you mean "name"?')
  })

  it.each<[string, string[], object]>([
    ['a name that resembles none', ['colour=red'], SCHEMA],
    ['a JSON object', ['{"nmae":"Ada"}'], SCHEMA],
    ['a schema that allows more', ['nmae=Ada'], { ...SCHEMA, additionalProperties: true }],
    ['a near name beside the right one', ['name=Ada', 'nam=x'], SCHEMA],
  ])('is not seen in %s', (_, args, schema) => {
    expect(() => refuseMistyped('greet', args, schema)).not.toThrow()
  })
})

describe('a name that no parameter has', () => {
  it.each([
    [{ colour: 'red' }, 'greet has no parameter "colour"; it has name, size, tags'],
    [
      { nmae: 'Ada' },
      'greet has no parameter "nmae" (did you mean "name"?); it has name, size, tags',
    ],
  ])('is said, also in a JSON object: %j', (input, text) => {
    expect(unknownText('greet', input, SCHEMA)).toBe(text)
    expect(unknownText('greet', input, { ...SCHEMA, unevaluatedProperties: false })).toBe(text)
  })

  it.each([
    [{ name: 'Ada' }, SCHEMA],
    [{ colour: 'red' }, { ...SCHEMA, additionalProperties: true }],
    [{ colour: 'red' }, { ...SCHEMA, patternProperties: { '^c': {} } }],
    [{ colour: 'red' }, { type: 'object' }],
    [{ colour: 'red' }, { ...SCHEMA, oneOf: [{ properties: { colour: {} } }] }],
    [{ colour: 'red' }, { ...SCHEMA, $ref: '#/$defs/colours' }],
    [{ colour: 'red' }, { ...SCHEMA, unevaluatedProperties: true }],
  ])('is not said of %j where it is a parameter or allowed', (input, schema) => {
    expect(unknownText('greet', input, schema)).toBeUndefined()
  })
})
