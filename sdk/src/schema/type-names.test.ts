import { expect, it } from 'vitest'
import { createTool } from '../tool/create-tool.ts'

const make = (inputSchema: object) =>
  createTool({ metadata: { name: 'a', inputSchema: inputSchema as never }, handler: () => '' })

it.each<[string, object]>([
  ['"properties.count"', { properties: { count: { type: 'interger' } } }],
  ['"properties.list.items"', { properties: { list: { type: 'array', items: { type: 'text' } } } }],
  ['"$defs.x.anyOf.1"', { $defs: { x: { anyOf: [{ type: 'null' }, { type: 'strng' }] } } }],
  ['"additionalProperties"', { additionalProperties: { type: 'String' } }],
  ['"properties.either"', { properties: { either: { type: ['string', 'nul'] } } }],
])('a misspelt type is an error when the tool is made, with its place %s', (place, schema) => {
  expect(() => make({ type: 'object', ...schema })).toThrow(`at ${place}: "type" must be one of`)
})

it('a property that is called "type" is not a type', () => {
  const properties = {
    type: { type: 'string', enum: ['round'] },
    shape: { default: { type: 'x' } },
  }
  expect(() => make({ type: 'object', properties })).not.toThrow()
})
