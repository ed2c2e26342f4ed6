import { describe, expect, it } from 'vitest'
import { readPrompt, readResource, readTemplate, readTool } from './read-offers.ts'

describe('an entry of a list', () => {
  it.each([null, undefined, 5, 'text', [], {}, { name: 5, uri: 5, uriTemplate: [] }, { name: '' }])(
    'that is %j is left out',
    (value) => {
      for (const read of [readTool, readPrompt, readResource, readTemplate]) {
        expect(read(value)).toEqual([])
      }
    },
  )

  it('whose name is too long to be sent back is left out, and a long text is shortened', () => {
    expect(readTool({ name: 'x'.repeat(5_000) })).toEqual([])
    const [prompt] = readPrompt({
      name: 'a',
      title: 't'.repeat(9_000),
      description: 'd'.repeat(90_000),
    })
    expect(prompt?.title).toHaveLength(4_000)
    expect(prompt?.description).toHaveLength(10_000)
  })

  it('without a title is shown by its name', () => {
    expect(readTool({ name: 'add_numbers' })[0]?.title).toBe('add numbers')
    expect(readTool({ name: 'add', annotations: { title: 'Add' } })[0]?.title).toBe('Add')
    expect(readPrompt({ name: 'add' })[0]?.title).toBe('add')
    expect(readResource({ uri: 'a://b' })[0]?.title).toBe('a://b')
    expect(readTemplate({ uriTemplate: 'a://{b}', name: 'Some' })[0]?.title).toBe('Some')
  })
})

it('arguments of a prompt are those with a name, and needed only if the server says so', () => {
  const names = [{ name: 'a', required: true }, { name: 'b', required: 'yes' }, { required: true }]
  const [prompt] = readPrompt({ name: 'p', arguments: names })
  expect(prompt?.arguments.map(({ name, required }) => [name, required])).toEqual([
    ['a', true],
    ['b', false],
  ])
  expect(readPrompt({ name: 'p', arguments: { a: 1 } })[0]?.arguments).toEqual([])
})

it('a size that is not a number of bytes is not shown', () => {
  for (const size of [-1, NaN, '5', null])
    expect(readResource({ uri: 'a:b', size })[0]).not.toHaveProperty('size')
  expect(readResource({ uri: 'a:b', size: 7 })[0]?.size).toBe(7)
})
