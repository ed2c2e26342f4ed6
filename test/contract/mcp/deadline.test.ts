// A component that never answers, and clients that would not wait for ever.
import { expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { ALL, ask } from './client.ts'

const application = useApplication({ call_timeout_ms: '1000' })
const SILENT = { name: 'silent', arguments: {} }

it('[tools.execution-error] is an error result for a client of any revision', async () => {
  const answers = await Promise.all(
    ALL.map((revision) => ask(application.url, 'tools/call', SILENT, { revision })),
  )
  for (const { status, result } of answers) {
    expect(status).toBe(200)
    expect(result['isError']).toBe(true)
    expect(result['content']).not.toEqual([])
  }
})

it('[reference.gateway-error] is -32004 for a plain client', async () => {
  const { error } = await ask(application.url, 'tools/call', SILENT, { revision: null })
  expect(error).toMatchObject({
    code: -32004,
    message: 'Gateway error',
    data: { tool: 'silent' },
  })
})
