import { testTool, textOf } from 'ftl-sdk/testing'
import { expect, it } from 'vitest'
import { tool } from './main.ts'

it('greets by name', async () => {
  const result = await testTool(tool).call({ name: 'Ada' })
  expect(textOf(result)).toContain('Ada')
})

it('refuses an empty name', async () => {
  const { isError, content } = await testTool(tool).call({ name: '' })
  expect(isError).toBe(true)
  expect(content).toMatchObject([{ text: expect.stringContaining('name') as string }])
})
