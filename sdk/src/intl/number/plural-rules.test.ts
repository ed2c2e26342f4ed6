import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PluralRules } from './plural-rules.ts'

/** TypeScript does not have it. */
interface PluralRulesOfIcu {
  selectRange(start: number, end: number): string
}

it.each(['cardinal', 'ordinal'] as const)(
  'the categories of %s numbers are those of ICU',
  (type) => {
    for (const options of [
      { type },
      { type, minimumFractionDigits: 1 },
      { type, maximumFractionDigits: 0 },
    ]) {
      const [icu, ours] = [new Intl.PluralRules('en', options), new PluralRules('en', options)]
      fc.assert(
        fc.property(
          fc.oneof(
            fc.integer({ min: -200, max: 2000 }),
            fc.double({ min: -1e15, max: 1e15 }),
            fc.double({ min: -30, max: 30 }),
          ),
          (value) => {
            expect(ours.select(value)).toBe(icu.select(value))
          },
        ),
        { numRuns: 1000 },
      )
      expect(ours.resolvedOptions()).toEqual({ ...icu.resolvedOptions() })
      for (const [start, end] of [[0, 1] as const, [1, 1] as const, [1, 22] as const]) {
        expect(ours.selectRange(start, end)).toBe(
          (icu as unknown as PluralRulesOfIcu).selectRange(start, end),
        )
      }
    }
  },
)

it('needs new, as ICU does', () => {
  expect(() => (PluralRules as unknown as () => void)()).toThrow(TypeError)
})
