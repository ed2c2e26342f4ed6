import { describe, expect, it } from 'vitest'
import { comfyServers, readLimits } from './settings.ts'
import type { Bindings } from './workerd.ts'

const limits = (variables: Partial<Bindings>) => readLimits(variables)

describe('a limit', () => {
  it('is what the operator has set', () => {
    expect(limits({ MAX_SOCKETS_PER_STREAM: '7' }).maxSockets).toBe(7)
    expect(limits({ HEARTBEAT_MS: '500' }).heartbeatMs).toBe(500)
  })

  it.each(['', '0', '-1', 'many', 'Infinity', undefined])('has its default for "%s"', (value) => {
    const variables = value === undefined ? {} : { MAX_SOCKETS_PER_STREAM: value }
    expect(limits(variables).maxSockets).toBe(50)
  })
})

describe('the ComfyUI servers', () => {
  it('have names, and addresses without a slash at the end', () => {
    const COMFYUI_URLS = '{"a":"http://gpu:8188/","b":"https://x.example/comfy"}'
    expect([...comfyServers({ COMFYUI_URLS })]).toEqual([
      ['a', 'http://gpu:8188'],
      ['b', 'https://x.example/comfy'],
    ])
  })

  it.each([
    '',
    'http://gpu:8188',
    'null',
    '7',
    '{"a":"file:///etc"}',
    '{"a":7}',
    '{"a":"http://"}',
  ])('are none in %s', (COMFYUI_URLS) => expect(comfyServers({ COMFYUI_URLS }).size).toBe(0))
})
