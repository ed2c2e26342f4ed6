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

// Known: this client compiles every outputSchema while it reads the list, so one invalid schema (`odd_promise`) costs
// it all tools. The gateway checks a schema when the tool is called.
it('an official client can read the list whatever schemas are in it', { fails: true }, async () => {
  const client = new Client({ name: 'faults', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${application.url}/mcp`)))
  try {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'throws']))
  } finally {
    await client.close()
  }
})
