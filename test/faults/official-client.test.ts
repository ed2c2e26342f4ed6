// The strictest reader of a list: it rejects the whole list for one entry that it does not accept.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FaultyApplication, startFaulty } from './application.ts'

let application: FaultyApplication
beforeAll(async () => {
  application = await startFaulty({ variables: { tool_components: 'echo,calls' } })
})
afterAll(() => application.close())

// This client compiles every outputSchema while it reads the list: the gateway leaves out one that is invalid (`odd_promise`).
it('an official client can read the list whatever schemas are in it', async () => {
  const client = new Client({ name: 'faults', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${application.url}/mcp`)))
  try {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'throws']))
  } finally {
    await client.close()
  }
})
