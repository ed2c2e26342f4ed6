// Schemas that are used twice, as the official SDK writes them with Zod 3.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { expect, it } from 'vitest'
import * as z from 'zod/v3'
import { usableTools } from './usable-tools.ts'

it('have items in each list of anything, so that OpenAI takes the request', async () => {
  const tag = z.object({ values: z.array(z.any()) })
  const server = new McpServer({ name: 'references', version: '1' })
  const none = () => ({ content: [] })
  server.registerTool('mark', { inputSchema: { first: tag, second: tag } }, none)
  const client = new Client({ name: 'test', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(theirs), client.connect(ours)])
  const { tools: sent } = await client.listTools()
  await client.close()
  const schemaOf = (tools: readonly { inputSchema: object }[]) => tools[0]?.inputSchema

  // Otherwise this shows nothing.
  const second = { $ref: '#/properties/first' }
  const bare = { properties: { values: { type: 'array' } } }
  expect(schemaOf(sent)).toMatchObject({ properties: { first: bare, second } })
  expect(JSON.stringify(sent)).not.toContain('"items"')

  const { tools, problems } = usableTools(sent, 1_000_000)
  expect(problems).toEqual([])
  const said = { properties: { values: { type: 'array', items: {} } } }
  expect(schemaOf(tools)).toMatchObject({ properties: { first: said, second } })
})
