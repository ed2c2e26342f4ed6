import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mergeArguments, parseArguments } from './call-arguments.ts'

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

  it('make a list of what is given several times, where the schema wants one', () => {
    const schema = {
      properties: {
        tag: { type: 'array', items: { type: 'string' } },
        size: { type: 'array', items: { type: 'integer' } },
      },
    }
    expect(parseArguments(['tag=7', 'tag=b', 'size=1', 'size=2'], schema)).toEqual({
      tag: ['7', 'b'],
      size: [1, 2],
    })
    expect(parseArguments(['tag=["a"]'], schema)).toEqual({ tag: ['a'] })
  })

  it('may come from a file, and single ones win', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'ftl-args-')), 'a.json')
    writeFileSync(file, '{"text":"file","count":1}')
    expect(mergeArguments(`@${file}`, ['count=2'], SCHEMA)).toEqual({ text: 'file', count: 2 })
    expect(mergeArguments('{"text":"a"}', [])).toEqual({ text: 'a' })
    expect(() => mergeArguments('@/nowhere.json', [])).toThrow('--args @/nowhere.json: ENOENT')
    expect(() => mergeArguments('[1]', [])).toThrow('--args: give a JSON object')
  })
})
