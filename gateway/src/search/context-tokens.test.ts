// What a tokenizer counts of a list. Of the estimate, `context-cost.test.ts` tests the same in `npm test`.
import { beforeAll, describe, expect, it } from 'vitest'
import { importJudge } from '../../../test/judges/judge.ts'
import { tokensOf } from '../catalog/list-settings.ts'
import { listOf } from './testing/context-list.ts'

/** What is used of the package `gpt-tokenizer`. */
interface Tokenizer {
  countTokens: (text: string) => number
}

let tokenizer: Tokenizer
beforeAll(async () => void (tokenizer = await importJudge<Tokenizer>('gpt-tokenizer')))

describe('what a list costs in the context of a model', () => {
  it('is at most 600 tokens of a search', async () => {
    const short = await listOf(1_000, 'tools=search')
    expect(tokenizer.countTokens(short)).toBeLessThanOrEqual(600)
  })

  it('is estimated within a third of what a tokenizer counts', async () => {
    const texts = [await listOf(1, 'tools=search'), await listOf(500, 'tools=all')]
    for (const text of texts) {
      const ratio = tokensOf(text.length) / tokenizer.countTokens(text)
      expect(ratio).toBeGreaterThan(0.67)
      expect(ratio).toBeLessThan(1.5)
    }
  })
})
