import { describe as group, expect, it } from 'vitest'
import { describe, NotAToolList } from './describe.ts'

const tool = { name: 'echo', inputSchema: { type: 'object' } }
const read = (value: unknown) => describe(JSON.stringify(value))

group('the forms of a description', () => {
  it.each([
    ['one tool', tool, ['/', '/{tool}']],
    ['a list of one', [tool], ['/{tool}', '/']],
    ['an object with a list of one', { tools: [tool] }, ['/{tool}', '/']],
    ['a list', [tool, { ...tool, name: 'two' }], ['/{tool}']],
  ])('takes %s', (_form, value, callAt) => {
    const { tools, ...rest } = read(value)
    expect(rest).toEqual({ callAt, problems: [] })
    expect(tools[0]).toEqual(tool)
  })

  it('takes a component that offers prompts only', () => {
    expect(read({ prompts: [] })).toMatchObject({ tools: [], problems: [] })
  })

  it.each(['<html>', '', '5', 'null', '"tool"'])('refuses %j', (text) => {
    expect(() => describe(text)).toThrow(NotAToolList)
  })
})

group('a tool that would break a client', () => {
  it.each([
    [{ inputSchema: { type: 'object' } }, 'it has no name'],
    [{ name: 'x' }, 'it has no inputSchema'],
    [{ name: 'x', inputSchema: { type: 'string' } }, 'must have the type "object"'],
    [{ name: 'x', inputSchema: [] }, 'must be a JSON Schema object'],
    [{ ...tool, name: 'a/b' }, 'its name must be'],
    [{ ...tool, description: 5 }, 'its description must be a string'],
    [{ ...tool, annotations: 'none' }, 'its annotations must be an object'],
    ['echo', 'it is not an object'],
  ])('%j is left out and reported, the others stay', (broken, problem) => {
    const { tools, problems } = read([broken, tool])
    expect(tools).toEqual([tool])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(problem)
  })
})

it('completes an inputSchema without a type, because arguments are always an object', () => {
  expect(read({ name: 'x', inputSchema: {} }).tools).toEqual([
    { name: 'x', inputSchema: { type: 'object' } },
  ])
})

it('keeps every other word of a tool', () => {
  const rich = {
    ...tool,
    title: 'Echo',
    version: '1.0.0',
    inputSchema: { type: 'object', $defs: { a: {} }, anyOf: [{}] },
    _meta: { x: 1 },
    extra: true,
  }
  expect(read(rich).tools).toEqual([rich])
})
