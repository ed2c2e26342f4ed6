import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { sampleOf } from './sample.ts'

describe('a sample of a schema', () => {
  it('has everything the schema names, so that all of it is gone through', () => {
    const schema = z.object({
      text: z.string().min(3),
      count: z.int().min(5),
      flag: z.boolean().optional(),
      kind: z.enum(['a', 'b']),
      only: z.literal('x'),
      list: z.array(z.object({ inner: z.number() })),
      either: z.union([z.string(), z.number()]),
      nothing: z.null(),
    })
    const sample = sampleOf(z.toJSONSchema(schema))
    expect(schema.safeParse(sample).error).toBeUndefined()
    expect(Object.keys(sample as object)).toEqual(Object.keys(schema.shape))
  })

  it('ends, however deep the schema is', () => {
    let schema: object = { type: 'string' }
    for (let depth = 0; depth < 100_000; depth++) schema = { type: 'array', items: schema }
    expect(JSON.stringify(sampleOf(schema)).length).toBeLessThan(100)
  })

  it('is made of any schema, however odd', () => {
    for (const odd of [undefined, null, true, 7, { enum: [] }, { anyOf: [] }, { type: [] }]) {
      expect(() => sampleOf(odd)).not.toThrow()
    }
  })
})
