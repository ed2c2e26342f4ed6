import { describe, expect, it } from 'vitest'
import { parseArguments } from './call-arguments.ts'

const SCHEMA = {
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    deep: { type: 'object' },
    names: { type: 'array' },
    loud: { type: 'boolean' },
    either: { type: ['string', 'number'] },
  },
}

describe('the arguments of a call', () => {
  it('may be one JSON object', () => {
    expect(parseArguments(['{"text":"a=b","count":2}'])).toEqual({ text: 'a=b', count: 2 })
    expect(parseArguments([])).toEqual({})
  })

  it('are texts, unless the schema says that they are something else', () => {
    const args = [
      'text=7',
      'count=7',
      'deep={"a":1}',
      'names=["x"]',
      'loud=true',
      'either=7',
      'new=1',
    ]
    expect(parseArguments(args, SCHEMA)).toEqual({
      text: '7',
      count: 7,
      deep: { a: 1 },
      names: ['x'],
      loud: true,
      either: '7',
      new: '1',
    })
  })

  it('are JSON after :=, and keep every character after the first =', () => {
    const args = ['either:=7', 'text=a:=b=c', 'empty=', 'list:=[1,2]']
    expect(parseArguments(args, SCHEMA)).toEqual({
      either: 7,
      text: 'a:=b=c',
      empty: '',
      list: [1, 2],
    })
  })

  it.each([
    [['oops'], '"oops" is neither name=value nor a JSON object'],
    [['{"a":'], 'the arguments: this is not JSON'],
    [['{}', 'a=1'], 'not both'],
    [['count=seven'], 'the value of count: this is not JSON'],
  ])('%j is refused', (args, message) => {
    expect(() => parseArguments(args, SCHEMA)).toThrow(message)
  })
})
