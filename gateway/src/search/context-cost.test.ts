import { countTokens } from 'gpt-tokenizer'
import { describe, expect, it } from 'vitest'
import { createWorld, several } from '../testing/components.ts'
import { send } from '../testing/rest.ts'
import { labelledTools } from './testing/labelled/labelled.ts'
import { tokensOf } from '../catalog/list-settings.ts'

const LABELLED = labelledTools().map(({ description }) => description)

/** A list as a model gets it: in the form of OpenAI's functions, with as many tools as are wanted. */
async function listOf(count: number, query: string): Promise<string> {
  const tools = Array.from({ length: count }, (_, number) => {
    const tool = LABELLED[number % LABELLED.length] as (typeof LABELLED)[number]
    return number < LABELLED.length ? tool : { ...tool, name: `${tool.name}_2` }
  })
  const world = createWorld({ components: { app: several(tools) } })
  const { body } = await send(world, `/tools?format=mcp&${query}`)
  return JSON.stringify(body.tools)
}

describe('what a list costs in the context of a model', () => {
  it.each([10, 100, 1_000])(
    'is at most 600 tokens beside %i tools, always the same',
    async (count) => {
      const short = await listOf(count, 'tools=search')
      expect(countTokens(short)).toBeLessThanOrEqual(600)
      expect(short).toBe(await listOf(1, 'tools=search'))
    },
  )

  it.each([
    [10, true],
    [100, true],
    [500, false],
  ])('is that of all of %i tools while they stay within the budget: %s', async (count, isFull) => {
    const list = await listOf(count, '')
    expect(list === (await listOf(count, 'tools=all'))).toBe(isFull)
  })

  it('is estimated within a third of what a tokenizer counts', async () => {
    const texts = [await listOf(1, 'tools=search'), await listOf(500, 'tools=all')]
    for (const text of texts) {
      const ratio = tokensOf(text.length) / countTokens(text)
      expect(ratio).toBeGreaterThan(0.67)
      expect(ratio).toBeLessThan(1.5)
    }
  })
})
