import { describe, expect, it } from 'vitest'
import { createTool } from '../index.ts'
import { headerParamProblem } from './header-params.ts'

const text = (header: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': header })
const object = (properties: object) => ({ type: 'object', properties })

describe('a parameter that clients repeat in a header', () => {
  it.each([
    [object({ region: text('Region') })],
    [object({ a: text('A'), b: object({ c: text('C', 'integer'), d: text('D', 'boolean') }) })],
    [object({ properties: text('P') })],
    [object({ 'x-mcp-header': { type: 'string' } })],
    [object({ a: { type: 'object', default: { 'x-mcp-header': '' } } })],
  ])('is fine in %j', (schema) => {
    expect(headerParamProblem(schema)).toBeUndefined()
  })

  it.each([
    [object({ a: text('No Space') }), 'must be a valid header name'],
    [object({ a: text('') }), 'must be a valid header name'],
    [object({ a: text('A', 'number') }), 'needs the type'],
    [object({ a: text('A', null) }), 'needs the type'],
    [object({ a: text('Same'), b: text('same') }), 'a second time'],
    [{ ...object({}), 'x-mcp-header': 'Root' }, 'is allowed only on'],
    [object({ a: { type: 'array', items: text('A') } }), 'is allowed only on'],
    [{ ...object({}), $defs: { a: text('A') } }, 'is allowed only on'],
    [{ anyOf: [object({ a: text('A') })] }, 'is allowed only on'],
  ])('is refused in %j', (schema, problem) => {
    expect(headerParamProblem(schema)).toContain(problem)
  })

  it('is looked at when the tool is made', () => {
    const inputSchema = object({ a: text('A', 'number') })
    const make = () => createTool({ metadata: { name: 'a', inputSchema }, handler: () => '' })
    expect(make).toThrow('tool "a": x-mcp-header at properties/a needs the type')
  })
})
