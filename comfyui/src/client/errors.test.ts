import { describe, expect, it } from 'vitest'
import { ComfyError, mapToFields, presentable } from './errors.ts'

it('cuts paths down to the name of the file', () => {
  expect(presentable("cannot identify image file '/comfyui-data/input/bad.png'\n")).toBe(
    "cannot identify image file 'bad.png'",
  )
  expect(presentable('No such file: C:\\Users\\me\\ComfyUI\\models\\x.ckpt')).toBe(
    'No such file: x.ckpt',
  )
})

it('keeps text that only looks like a path', () => {
  expect(presentable('expected 1024/768 and/or 3:4')).toBe('expected 1024/768 and/or 3:4')
})

it('keeps the first line only, and not too much of it', () => {
  expect(presentable('boom\n  File "/x.py", line 3')).toBe('boom')
  expect(presentable('x'.repeat(1000))).toHaveLength(300)
})

it('has no colors of a terminal and no control characters', () => {
  expect(presentable('\u001b[1;31mbad\u001b[0m\u0007 thing\u009b')).toBe('bad thing')
})

const mappings = [
  { field: 'prompt', nodeId: '6', inputName: 'text' },
  { field: 'steps', nodeId: '3', inputName: 'steps' },
  { field: 'seed', nodeId: '3', inputName: 'seed' },
  { field: 'size', nodeId: '5', inputName: 'width' },
  { field: 'width', nodeId: '5', inputName: 'width' },
]
const problem = 'Value 0 smaller than min of 1'
const at = (nodeId: string, inputName?: string) =>
  new ComfyError('invalid_value', `"x" of node ${nodeId}: ${problem}.`, {
    nodeId,
    inputName,
    problem,
    received: 0,
  })

describe('mapToFields', () => {
  it('names the field instead of the node', () => {
    const error = mapToFields(at('3', 'steps'), mappings)
    expect(error.message).toBe('"steps": Value 0 smaller than min of 1.')
    expect(error.kind).toBe('invalid_value')
    expect(error.details).toMatchObject({ fields: ['steps'], nodeId: '3', received: 0 })
  })

  it('names every field that is written to the same place', () => {
    expect(mapToFields(at('5', 'width'), mappings).message).toBe(`"size", "width": ${problem}.`)
  })

  it('names the only field of a node that failed as a whole, and none of several', () => {
    expect(mapToFields(at('6'), mappings).details.fields).toEqual(['prompt'])
    const several = at('3')
    expect(mapToFields(several, mappings)).toBe(several)
  })

  it.each([
    ['another input', at('3', 'cfg')],
    ['another node', at('9', 'steps')],
    ['no node', new ComfyError('timeout', 'late')],
  ])('leaves an error about %s as it is', (_, error) => {
    expect(mapToFields(error, mappings)).toBe(error)
  })
})
