import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApplication, type TestApplication } from '../support/application.ts'
import { callTool } from '../support/rpc.ts'

let application: TestApplication
beforeAll(async () => {
  application = await startApplication()
})
afterAll(() => application.close())

const start = async (prompt: string, key?: string) => {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  const answer = await callTool(application.url, 'generate_image', { prompt }, headers)
  return answer.params?.['stream_id'] ?? answer.error ?? answer.result
}

it('a call that is sent again with its key is the same job', async () => {
  const first = await start('a fox', 'once')
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  expect(await start('a fox', 'once')).toBe(first)
  expect(await start('a fox', 'twice')).not.toBe(first)
  expect(await start('a fox')).not.toBe(first)
})

it('a key that comes with other arguments is refused, and starts nothing', async () => {
  await start('a hare', 'hare')
  expect(JSON.stringify(await start('a hedgehog', 'hare'))).toContain('idempotency_key_reuse')
})
