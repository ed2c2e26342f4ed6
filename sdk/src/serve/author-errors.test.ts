// What an author has got wrong is said when the component is built, with what to do.
import { describe, expect, it } from 'vitest'
import { createPrompt, createResource, createTool, createTools } from '../index.ts'
import { toComponent } from './component.ts'

const handler = () => ''
const job = { start: () => '', poll: async () => 'lost' as const }
const tool = createTool({ metadata: { name: 'a' }, handler })
const prompt = createPrompt({ metadata: { name: 'a' }, handler })
/** As from JavaScript, where no compiler has looked. */
const make = (definition: object) => createTool(definition as never)

describe('a tool', () => {
  it.each<[string, object, RegExp]>([
    ['has a bad name', { metadata: { name: 'a b' }, handler }, /tool name "a b": use 1 to 64/],
    ['has the shape of another SDK', { name: 'a', handler }, /tool name "undefined": use/],
    ['has no name', { metadata: {}, handler }, /tool name "undefined": use/],
    ['does nothing', { metadata: { name: 'a' } }, /tool "a": it does nothing: give it a "handler"/],
    [
      'does two things',
      { metadata: { name: 'a' }, handler, job },
      /tool "a": it has a "handler" and a "job": keep one/,
    ],
    [
      'has no function',
      { metadata: { name: 'a' }, handler: 'x' },
      /tool "a": "handler" must be a function, and is string/,
    ],
    [
      'has half a job',
      { metadata: { name: 'a' }, job: { start: handler } },
      /"job" needs functions "start" and "poll"/,
    ],
    [
      'has a promise for a schema',
      { metadata: { name: 'a', inputSchema: Promise.resolve({}) }, handler },
      /tool "a": inputSchema: it is a promise/,
    ],
    [
      'promises a text',
      { metadata: { name: 'a', outputSchema: { type: 'string' } }, handler },
      /tool "a": outputSchema: the root must/,
    ],
  ])('that %s', (_, definition, message) => {
    expect(() => make(definition)).toThrow(message)
  })
})

describe('a set of tools', () => {
  it('with a twin', () => {
    expect(() => createTools([tool, tool])).toThrow(
      'two tools of this component are named "a": rename one',
    )
    expect(() => createTools([tool], { prompts: [prompt, prompt] })).toThrow('two prompts')
  })

  it('with a definition that was not made by createTool', () => {
    const definition = { metadata: { name: 'a' }, handler } as never
    expect(() => createTools([tool, definition])).toThrow(
      'tool 2 of this component was not made by createTool',
    )
  })
})

describe('an entry', () => {
  const serve = (entry: object) => () => toComponent(entry, 'kitchen')

  it.each<[object, RegExp]>([
    [{}, /component "kitchen": its entry must export "tool".* It exports nothing\.$/],
    [{ weather: tool }, /It exports weather \(a tool\)\. Write: export \{ weather as tool \}/],
    [{ handler, size: 5 }, /It exports handler \(function\), size \(number\)\./],
    [{ soon: Promise.resolve(tool) }, /It exports soon \(a promise\)\./],
  ])('that exports nothing usable: %#', (entry, message) => {
    expect(serve(entry)).toThrow(message)
  })

  it('with prompts only is served', async () => {
    expect(serve({ prompts: [prompt] })).not.toThrow()
  })
})

describe('a prompt or a resource', () => {
  it.each<[string, () => unknown, RegExp]>([
    [
      'name',
      () => createPrompt({ metadata: { name: 'ä' }, handler }),
      /prompt name "ä": use 1 to 128/,
    ],
    [
      'handler',
      () => createPrompt({ metadata: { name: 'a' } } as never),
      /prompt "a": give it a "handler"/,
    ],
    [
      'address',
      () => createResource({ metadata: { uri: 'today', name: 'x' }, handler }),
      /resource "x": give it a "uri"/,
    ],
    [
      'reading',
      () => createResource({ metadata: { uri: 'a:b', name: 'x' } } as never),
      /resource "a:b": give it a "handler"/,
    ],
    [
      'template',
      () => createResource({ metadata: { uriTemplate: 'a://{?q}', name: 'x' }, handler }),
      /"\{\?q\}" in "a:\/\/\{\?q\}": write \{name\}/,
    ],
    [
      'variable',
      () =>
        createResource({
          metadata: { uriTemplate: 'a://{b}', name: 'x', complete: { c: [] } as never },
          handler,
        }),
      /"complete" names "c", which is not one of its variables/,
    ],
  ])('with a bad %s', (_, made, message) => {
    expect(made).toThrow(message)
  })
})
