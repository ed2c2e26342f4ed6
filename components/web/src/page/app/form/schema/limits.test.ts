import { expect, it } from 'vitest'
import * as z from 'zod'
import { shapeOf } from './shape.ts'

const limits = (schema: object, name = 'clip') =>
  shapeOf({ type: 'string', ...schema }, {}, name).limits

it('of a file is its size, and not the characters that it becomes', () => {
  expect(limits({ contentEncoding: 'base64', maxLength: 4_000_000 })).toEqual([
    'A file of at most 3 MB',
  ])
  expect(limits({ format: 'data-url', maxLength: 40_100 })).toEqual(['A file of at most 30 KB'])
  expect(limits({ format: 'data-url', maxLength: 100 })).toEqual(['A file of at most 0 bytes'])
})

it.each([
  ['MP4, an address (/uploads/…), at most 32 MB, 3 MB as a data URL', '32 MB'],
  ['MP4, at most 32 MB, 3 MB as a data URL, 100 MB by POST /uploads (/uploads/…)', '100 MB'],
  ['MP4, at most 32 MB, 3 MB as a data URL, 9 MB by POST /uploads (/uploads/…)', '9 MB'],
  ['PNG, at most 10 MB, 3 MB as a data URL, 500 KB by POST /uploads (/uploads/…)', '500 KB'],
  ['A data URL or /uploads/…. PNG, at most 10 MB, or 3 MB as a data URL', '10 MB'],
])('of a file that is sent by itself is in its description: %j', (description, size) => {
  const schema = { description, maxLength: 14_000_000 }
  expect(limits(schema)).toEqual([`A file of at most ${size}`])
})

it('of a file that is sent by itself is not its argument’s, if the description names none', () => {
  const description = 'An address (/uploads/…) of an MP4'
  expect(limits({ description, maxLength: 14_000_000 })).toEqual([])
})

it('of any other text is its characters', () => {
  expect(limits({ maxLength: 20 }, 'title')).toEqual(['At most 20 characters'])
})

it.each([z.iso.date(), z.iso.datetime(), z.email(), z.uuid()])(
  'of a format that Zod writes as a pattern, too, are without it',
  (text) => {
    const { $schema: _, ...schema } = z.toJSONSchema(text)
    expect(schema.pattern).toBeDefined()
    expect(limits(schema, 'when').join(' ')).not.toContain('Pattern')
  },
)

it('of a pattern that an author wrote beside a format are shown', () => {
  expect(limits({ format: 'email', pattern: '@acme\\.example$' }, 'to')).toEqual([
    'Pattern: @acme\\.example$',
    'Format: email',
  ])
  expect(limits({ format: 'password', pattern: '^.{8,}$' }, 'word')).toEqual(['Pattern: ^.{8,}$'])
})
