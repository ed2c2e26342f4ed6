import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { canonicalJson } from 'ftl-contract'
import { describe, expect, it } from 'vitest'
import { describeArguments, kindOf } from './audit-arguments.ts'

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

const nested = (levels: number): Record<string, unknown> =>
  levels === 0 ? {} : { a: nested(levels - 1) }

describe('small arguments', () => {
  it('have the digest of their canonical JSON, in whichever order their members are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), async (value) => {
        const args = JSON.parse(JSON.stringify(value)) as Record<string, unknown>
        if (kindOf(args) === 'large') return
        const expected = { sha256: digest(canonicalJson(args)) }
        expect(await describeArguments(args, JSON.stringify(args))).toEqual(expected)
        expect(await describeArguments(args, undefined)).toEqual(expected)
      }),
    )
  })

  // The names that are whole numbers come first in an object, by their value.
  it.each(['{"10":1,"9":1}', '{"b":1,"a":1}', '{"a":[{"c":1,"b":1}]}'])(
    '%s is sorted first',
    async (text) => {
      const args = JSON.parse(text) as Record<string, unknown>
      expect(kindOf(args)).toBe('small')
      const { sha256 } = await describeArguments(args, text)
      expect(sha256).toBe(digest(canonicalJson(args)))
    },
  )
})

describe('large arguments', () => {
  it.each<[string, Record<string, unknown>]>([
    ['many numbers', { x: Array(5000).fill(7) }],
    ['a long text', { x: 'x'.repeat(17_000) }],
    ['many members', Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`k${n}`, 1]))],
    ['a long name', { ['x'.repeat(17_000)]: 1 }],
    ['many levels', nested(70)],
  ])('of %s have the digest of the text that the component gets', async (_, args) => {
    const text = JSON.stringify(args)
    expect(await describeArguments(args, text, {})).toEqual({
      ...{ sha256: digest(text), canonical: false, values: '[too long]' },
    })
    expect(await describeArguments(args, undefined)).toEqual({ canonical: false })
  })

  it('are not looked at to their end', () => {
    let looked = 0
    const item = {
      get a() {
        looked++
        return 1
      },
    }
    expect(kindOf({ x: Array(4000).fill(item) })).toBe('large')
    expect(looked).toBeLessThan(4000)
  })
})
