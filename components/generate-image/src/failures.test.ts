import { ComfyError } from 'ftl-comfyui/client'
import { describe, expect, it } from 'vitest'
import { toImageError, withoutNodes } from './failures.ts'

describe('a message of ComfyUI loses the nodes', () => {
  it.each([
    ['SlowImage failed: boom at 2', 'SlowImage failed: boom at 2'],
    ['Node 57:27 (KSampler) failed.', 'KSampler failed.'],
    ['Node 3: Required input is missing.', 'A node: Required input is missing.'],
    [
      '"steps" of node 3 (KSampler): Value 0 smaller than min of 1.',
      '"steps": Value 0 smaller than min of 1.',
    ],
    ['"text" of node 6 is missing.', '"text" is missing.'],
    [
      'The ComfyUI server does not have the model file "x.safetensors" ("ckpt_name" of node 4 (CheckpointLoaderSimple)).',
      'The ComfyUI server does not have the model file "x.safetensors".',
    ],
    [
      'The ComfyUI server does not have the node "Nope".',
      'The ComfyUI server does not have the node "Nope".',
    ],
    ['The ComfyUI server ran out of memory.', 'The ComfyUI server ran out of memory.'],
  ])('%s', (message, expected) => {
    expect(withoutNodes(message)).toBe(expected)
  })
})

it('a node that ComfyUI rejects is named, because the author of the workflow must mend it', () => {
  const text =
    'Node 3 (ImageScale): Exception when validating inner node: tuple index out of range.'
  const error = new ComfyError('rejected', text, { nodeId: '3', nodeType: 'ImageScale' })
  expect(toImageError(error, 'Mine')).toMatchObject({
    message: `render_type: the workflow of 'Mine' is not valid: ${text}`,
    data: { kind: 'rejected', field: 'render_type' },
  })
})

it('a server that is full says when to come back', () => {
  const error = new ComfyError('queue_full', 'It is full.', { retryAfterMs: 1500 })
  expect(toImageError(error, 'X').data).toEqual({ kind: 'queue_full', retryAfterSeconds: 2 })
})

it('a server that is slow is not called unreachable', () => {
  const text = 'The ComfyUI server did not answer within 3 s.'
  const { message, data } = toImageError(new ComfyError('timeout', text), 'X')
  expect([message, data]).toEqual([text, { kind: 'timeout' }])
})
