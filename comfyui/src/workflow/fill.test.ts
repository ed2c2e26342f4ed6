import { describe, expect, it } from 'vitest'
import type { Field } from './field.ts'
import { fill } from './fill.ts'

const field = (more: Partial<Field>): Field => ({
  name: 'f',
  type: 'integer',
  required: false,
  ...more,
})
const made = (more: Partial<Field>, random: number) =>
  fill([field(more)], {}, () => random).values.get('f')
/** The largest number `random` can give. */
const ALMOST_ONE = 1 - 2 ** -53

describe('fill', () => {
  it.each([
    ['a text for a number', { type: 'number' }, '3', /f: must be a number/],
    ['a fraction for an integer', {}, 1.5, /must be an integer/],
    [
      'an integer beyond 2^53',
      {},
      2 ** 53,
      /must be between -9007199254740991 and 9007199254740991/,
    ],
    ['nothing for a text', { type: 'string' }, null, /must be a string/],
    ['a list for an object', { type: 'object' }, [], /must be an object/],
    ['an object for a list', { type: 'array' }, {}, /must be an array/],
    ['a number for a boolean', { type: 'boolean' }, 1, /must be a boolean/],
    ['too little', { minimum: 1 }, 0, /must be at least 1/],
    ['too much', { maximum: 1 }, 2, /must be at most 1/],
    ['no choice', { type: 'string', enum: ['a', 'b'] }, 'c', /must be one of "a", "b"/],
  ] as [string, Partial<Field>, unknown, RegExp][])('refuses %s', (_, more, given, message) => {
    expect(fill([field(more)], { f: given }, Math.random).problems.join()).toMatch(message)
  })

  it('tells every problem at once', () => {
    const fields = [field({ name: 'a', required: true }), field({ name: 'b' })]
    expect(fill(fields, { b: 'x' }, Math.random).problems).toEqual([
      'a: is missing',
      'b: must be an integer',
    ])
  })

  it('puts in defaults, and leaves what has neither as the workflow has it', () => {
    const fields = [field({ name: 'a', default: 0 }), field({ name: 'b' })]
    expect(fill(fields, {}, Math.random).values).toEqual(new Map([['a', 0]]))
  })

  it('does not take for an argument what every object has', () => {
    const fields = [field({ name: 'constructor', required: true }), field({ name: 'toString' })]
    const { problems, values } = fill(fields, {}, Math.random)
    expect([problems, values.size]).toEqual([['constructor: is missing'], 0])
  })

  it('names arguments that are no fields', () => {
    const args = JSON.parse('{"g":1,"__proto__":2}') as Record<string, unknown>
    expect(fill([field({})], args, Math.random).unknown).toEqual(['g', '__proto__'])
  })

  it.each([
    ['a seed from 0', { generator: { type: 'seed' } }, 0, 0],
    ['a seed up to 2^32 - 1', { generator: { type: 'seed' } }, ALMOST_ONE, 2 ** 32 - 1],
    ['its lowest option', { generator: { type: 'seed', min: 5, max: 9 } }, 0, 5],
    ['its highest option', { generator: { type: 'seed', min: 5, max: 9 } }, ALMOST_ONE, 9],
    ['no more than the field takes', { maximum: 7, generator: { type: 'seed' } }, ALMOST_ONE, 7],
    ['no less than the field takes', { minimum: 7, generator: { type: 'random' } }, 0, 7],
    ['whole numbers within fractions', { generator: { type: 'random', min: 0.5, max: 1.5 } }, 0, 1],
    [
      'seeds up to 2^53 - 1',
      { generator: { type: 'seed', max: 2 ** 53 - 1 } },
      ALMOST_ONE,
      2 ** 53 - 1,
    ],
    ['a number from 0 to 1', { type: 'number', generator: { type: 'random' } }, 0.25, 0.25],
    ['a boolean', { type: 'boolean', generator: { type: 'random' } }, 0.9, false],
    ['a choice', { type: 'string', enum: ['a', 'b'], generator: { type: 'random' } }, 0.9, 'b'],
  ] as [string, Partial<Field>, number, unknown][])('generates %s', (_, more, random, wanted) => {
    expect(made(more, random)).toBe(wanted)
  })
})
