import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { sampleArguments } from './sample-arguments.ts'

describe('arguments to try a tool with', () => {
  it('have what is required, each of its type, and nothing else', () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        times: { type: 'integer', minimum: 3 },
        loud: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
        note: { type: 'string' },
      },
      required: ['name', 'times', 'loud', 'tags'],
    }
    expect(sampleArguments(schema)).toEqual({
      name: 'Ada',
      times: 3,
      loud: true,
      tags: ['Hello'],
    })
  })

  it('are what the author says they may be', () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string', examples: ['Oslo'] },
        unit: { enum: ['celsius', 'kelvin'] },
        days: { type: 'number', default: 7 },
        place: { anyOf: [{ type: 'number' }, { type: 'string' }] },
      },
      required: ['city', 'unit', 'days', 'place'],
    }
    expect(sampleArguments(schema)).toEqual({ city: 'Oslo', unit: 'celsius', days: 7, place: 1 })
  })

  it.each([z.iso.date(), z.iso.datetime(), z.email(), z.url(), z.uuid()])(
    'fit the format of a text',
    (text) => {
      const schema = z.object({ text })
      expect(schema.safeParse(sampleArguments(z.toJSONSchema(schema))).success).toBe(true)
    },
  )

  it.each([undefined, {}, { type: 'object' }, true])('are none for %j', (schema) => {
    expect(sampleArguments(schema)).toEqual({})
  })
})
