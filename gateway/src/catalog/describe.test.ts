import { describe as group, expect, it } from 'vitest'
import { describe, NotAToolList } from './describe.ts'

const tool = { name: 'echo', inputSchema: { type: 'object', properties: {} } }
const read = (value: unknown) => {
  const { offers, ...rest } = describe(value)
  return { ...offers, ...rest }
}

group('the forms of a description', () => {
  it.each([
    ['one tool', tool, ['/', '/{tool}']],
    ['a list of one', [tool], ['/{tool}', '/']],
    ['an object with a list of one', { tools: [tool] }, ['/{tool}', '/']],
    ['a list', [tool, { ...tool, name: 'two' }], ['/{tool}']],
  ])('takes %s', (_form, value, callAt) => {
    const { tools, ...rest } = read(value)
    expect(rest).toMatchObject({ callAt, problems: [] })
    expect(tools[0]).toEqual(tool)
  })

  it('takes a component that offers prompts only', () => {
    expect(read({ prompts: [] })).toMatchObject({ tools: [], problems: [] })
  })

  it('takes prompts, resources and templates beside tools', () => {
    const offer = {
      tools: [tool],
      prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }] }],
      resources: [{ name: 'A note', uri: 'note://1' }],
      resourceTemplates: [{ name: 'Notes', uriTemplate: 'note://{id}' }],
      completions: true,
    }
    expect(read(offer)).toMatchObject({ ...offer, logging: false, problems: [] })
  })

  it('passes on what a component says is wrong with it, in bounds', () => {
    const told = ['a', 5, 'x'.repeat(1000), ...Array.from({ length: 200 }, () => 'more')]
    const { problems } = describe({ tools: [tool], problems: told })
    expect(problems.slice(0, 2)).toEqual(['a', 'x'.repeat(500)])
    expect(problems).toHaveLength(100)
    expect(describe({ tools: [tool], problems: 'a' }).problems).toEqual([])
  })

  it.each([5, null, 'tool', undefined])('refuses %j', (value) => {
    expect(() => describe(value)).toThrow(NotAToolList)
  })
})

group('a tool that would break a client', () => {
  it.each([
    [{ inputSchema: { type: 'object' } }, 'it has no name'],
    [{ name: 'x' }, 'it has no inputSchema'],
    [{ name: 'x', inputSchema: { type: 'string' } }, 'must have the type "object"'],
    [{ name: 'x', inputSchema: [] }, 'must be a JSON Schema object'],
    [{ ...tool, name: 'a/b' }, 'its name must be'],
    ['echo', 'it is not an object'],
  ])('%j is left out and reported, the others stay', (broken, problem) => {
    const { tools, problems } = read([broken, tool])
    expect(tools).toEqual([tool])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(problem)
  })
})

group('a member that would break a client', () => {
  it.each([
    [{ description: 5 }, 'its description must be a string'],
    [{ title: null }, 'its title must be a string'],
    [{ annotations: 'none' }, 'its annotations must be an object'],
    [{ outputSchema: null }, 'its outputSchema must be a JSON Schema object'],
    [
      { outputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/b' } } } },
      'its outputSchema must be a JSON Schema that clients can use: $ref "#/$defs/b"',
    ],
  ])('%j is left out and reported, the tool stays', (member, problem) => {
    const { tools, problems } = read([{ ...tool, ...member }])
    expect(tools).toEqual([tool])
    expect(problems).toEqual([`tool "echo": ${problem}; it is left out`])
  })

  it.each([
    [
      { annotations: { title: null, readOnlyHint: 'true', idempotentHint: true } },
      { annotations: { idempotentHint: true } },
      2,
    ],
    [{ icons: [null, { src: 5 }, { src: 'a:b', theme: 'blue' }] }, { icons: [{ src: 'a:b' }] }, 3],
    [
      { icons: [{ src: 'a:b', sizes: '48x48 any' }] },
      { icons: [{ src: 'a:b', sizes: ['48x48', 'any'] }] },
      0,
    ],
    [{ inputSchema: { type: 'object', required: null } }, {}, 1],
    [
      { inputSchema: { type: 'object', properties: { a: null, b: {} }, required: ['b', 5] } },
      { inputSchema: { type: 'object', properties: { a: {}, b: {} }, required: ['b'] } },
      1,
    ],
  ])('of %j keeps what fits', (member, kept, count) => {
    const { tools, problems } = read([{ ...tool, ...member }])
    expect(tools).toEqual([{ ...tool, ...kept }])
    expect(problems).toHaveLength(count)
  })

  it('is reported in one line for all tools that have it', () => {
    const names = Array.from({ length: 9 }, (_, at) => `t${at}`)
    const { problems } = read(names.map((name) => ({ ...tool, name, title: null })))
    expect(problems).toEqual([
      'tool "t0", tool "t1", tool "t2" and 6 more: its title must be a string; it is left out',
    ])
  })

  it('costs a resource no more than it costs a tool', () => {
    const annotations = { audience: ['user'], priority: 2, lastModified: 'yesterday' }
    const { resources, problems } = read({
      resources: [{ name: 'a', uri: 'a:b', mimeType: 5, size: '1', annotations }],
    })
    expect(resources).toEqual([{ name: 'a', uri: 'a:b', annotations: { audience: ['user'] } }])
    expect(problems).toHaveLength(4)
  })
})

group('a prompt or resource that would break a client', () => {
  it.each([
    [{ prompts: [{ name: 'a b' }] }, 'prompt 1: its name must be'],
    [{ prompts: [{ name: 'a', arguments: [{}] }] }, 'prompt "a": its arguments must be'],
    [{ prompts: {} }, 'prompts: it is not an array'],
    [{ resources: [{ uri: 'a://b' }] }, 'resource 1: it has no name'],
    [{ resources: [{ name: 'a', uri: '/b' }] }, 'resource "a": its uri must begin with a scheme'],
    [{ resourceTemplates: [{ name: 'a' }] }, 'resource template "a": its uriTemplate must'],
  ])('%j is left out and reported', (offer, problem) => {
    const { prompts, resources, resourceTemplates, problems } = read(offer)
    expect([...prompts, ...resources, ...resourceTemplates]).toEqual([])
    expect(problems).toEqual([expect.stringContaining(problem)])
  })
})

it('completes an inputSchema without a type or properties, because arguments are always an object', () => {
  expect(read({ name: 'x', inputSchema: {} }).tools).toEqual([
    { name: 'x', inputSchema: { type: 'object', properties: {} } },
  ])
})

it('keeps every other word of a tool', () => {
  const rich = {
    ...tool,
    title: 'Echo',
    version: '1.0.0',
    inputSchema: { type: 'object', properties: {}, $defs: { a: {} }, anyOf: [{}] },
    _meta: { x: 1 },
    extra: true,
  }
  expect(read(rich).tools).toEqual([rich])
})

it.each(['tools', 'prompts', 'resources', 'resourceTemplates'] as const)(
  'an entry of %s cannot pass for one of another kind',
  (kind) => {
    const own = {
      tools: ['inputSchema'],
      prompts: [],
      resources: ['uri'],
      resourceTemplates: ['uriTemplate'],
    }
    const entry = { ...tool, uri: 'a:b', uriTemplate: 'a:{b}' }
    const [read] = describe({ [kind]: [entry] }).offers[kind]
    const telling = Object.keys(read ?? {}).filter((field) => /^(inputSchema|uri)/.test(field))
    expect(telling).toEqual(own[kind])
  },
)
