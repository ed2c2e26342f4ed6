import { describe, expect, it } from 'vitest'
import { aboutChosen, withChosen } from './chosen-arguments.ts'

const call = (args: string) => ({ id: 'c', name: 'draw', arguments: args })
const chosen = new Map([['draw', { style: 'Anime', seed: 7 }]])
const argumentsOf = (args: string, name: string | undefined, all = chosen) =>
  withChosen(call(args), name, all).arguments

describe('arguments that the user has chosen', () => {
  it('replace those of the model, and leave its others', () => {
    const merged = argumentsOf('{"prompt":"a pond","style":"Photo"}', 'draw')
    expect(JSON.parse(merged)).toEqual({ prompt: 'a pond', style: 'Anime', seed: 7 })
  })

  it('reach a tool that the model calls by another tool', () => {
    const merged = argumentsOf('{"name":"draw","arguments":{"prompt":"a pond"}}', 'call_tool')
    expect(JSON.parse(merged)).toEqual({
      name: 'draw',
      arguments: { prompt: 'a pond', style: 'Anime', seed: 7 },
    })
  })

  it.each([
    ['another tool', '{"a":1}', 'other'],
    ['an unknown tool', '{"a":1}', undefined],
    ['arguments that are not JSON', '{"a":', 'draw'],
    ['arguments that are not an object', '[1]', 'draw'],
  ])('do not change %s', (_, args, name) => {
    expect(argumentsOf(args, name)).toBe(args)
  })

  it('are told to the model, but not the bytes of a picture', () => {
    const image = `data:image/png;base64,${'A'.repeat(2_000)}`
    const told = aboutChosen(new Map([['draw', { style: 'Anime', image }]]))
    expect(told).toContain('"style":"Anime"')
    expect(told).not.toContain('AAAA')
    expect(aboutChosen(new Map())).toBe('')
  })
})
