import { testTool } from 'ftl-sdk/testing'
import { expect, it } from 'vitest'
import { tool } from './main.ts'

it('tells how far it is, and ends with the result', async () => {
  const job = await testTool(tool).startJob({ seconds: 10 })
  expect(await job.poll(4000)).toMatchObject({
    status: 'working',
    progress: { value: 4, total: 10 },
  })
  const { content } = await job.result()
  expect(content).toEqual([{ type: 'text', text: 'Boiled for 10 s' }])
})

it('can be cancelled', async () => {
  const job = await testTool(tool).startJob({ seconds: 10 })
  expect(await job.cancel()).toMatchObject({ status: 'cancelled' })
})
