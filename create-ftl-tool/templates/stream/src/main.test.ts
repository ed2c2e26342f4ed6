import { testTool } from 'ftl-sdk/testing'
import { expect, it } from 'vitest'
import { tool } from './main.ts'

it('tells of each word, and then how many there were', async () => {
  const test = testTool(tool)
  const { content } = await test.call({ words: 'one two' })
  expect(test.progress).toMatchObject([
    { message: 'one', progress: 1, total: 2 },
    { message: 'two', progress: 2, total: 2 },
  ])
  expect(content).toEqual([{ type: 'text', text: 'Read 2 words' }])
})
