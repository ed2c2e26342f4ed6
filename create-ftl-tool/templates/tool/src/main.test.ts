import { testTool } from 'ftl-sdk/testing'
import { expect, it } from 'vitest'
import { tool } from './main.ts'

it('greets by name', async () => {
  const { content } = await testTool(tool).call({ name: 'Ada' })
  expect(content).toEqual([{ type: 'text', text: 'Hello, Ada!' }])
})

it('refuses an empty name', async () => {
  const { isError, content } = await testTool(tool).call({ name: '' })
  expect(isError).toBe(true)
  expect(content).toMatchObject([{ text: expect.stringContaining('name') as string }])
})
