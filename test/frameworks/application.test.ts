// What the frameworks are expected to give a model: a client that reads everything gets all of it.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Application, startApplication } from './application.ts'
import { CALLS, JOB_TOOL } from './tools.ts'

let application: Application
beforeAll(async () => {
  application = await startApplication()
})
afterAll(() => application.close())

async function connected(query = ''): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${application.url}/mcp${query}`)))
  return client
}

it('every tool is listed, with and without simple schemas', async () => {
  for (const query of ['', '?schemas=simple']) {
    const client = await connected(query)
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(CALLS.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([])
    await client.close()
  }
})

it('every call gives what is expected', async () => {
  const client = await connected('?wait_ms=0')
  for (const { name, args, says } of CALLS) {
    const result = await client.callTool({ name, arguments: args })
    expect(JSON.stringify(result), name).toMatch(says)
    // An expectation that everything meets holds nothing, except that an empty result is no error.
    if (name !== 'gives_nothing') expect('{"content":[]}').not.toMatch(says)
  }
  expect(CALLS.at(-1)?.name).toBe(JOB_TOOL)
  expect(await application.jobs()).toBe(1)
  await client.close()
})
