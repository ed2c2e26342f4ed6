// Tuples as the official SDK writes them, for servers and clients that people run.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { usableTools } from './usable-tools.ts'

const range = z.object({
  between: z.tuple([z.number(), z.number()]),
  named: z.tuple([z.string()], z.number()).optional(),
})

async function listed() {
  const server = new McpServer({ name: 'tuples', version: '1' })
  const none = () => ({ content: [] })
  server.registerTool('filter', { inputSchema: range.shape }, none)
  const client = new Client({ name: 'test', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(theirs), client.connect(ours)])
  const { tools } = await client.listTools()
  await client.close()
  return tools
}

it('are valid by the rules of 2020-12, which providers of models hold them against', async () => {
  const sent = await listed()
  // Otherwise this shows nothing.
  expect(JSON.stringify(sent)).toContain('"items":[{"type":"number"}')
  const rules = new Ajv2020({ strict: false, validateFormats: false })
  const { tools, problems } = usableTools(sent, 1_000_000)
  expect(problems).toEqual([])
  expect(tools.map(({ inputSchema }) => rules.validateSchema(inputSchema))).toEqual([true])
  const allows = rules.compile(tools[0]?.inputSchema ?? {})
  const values = [
    { between: [1, 2], named: ['a', 1, 2] },
    ...[{ between: [1] }, { between: [1, 2, 3] }, { between: [1, 2], named: ['a', 'b'] }],
  ]
  expect(values.map((value) => allows(value))).toEqual([true, false, false, false])
})

// Version 2 of the SDK writes what Zod does, and clients of version 1 hold it against draft 7.
it('with further items, of a result, are accepted by clients that check by draft 7', () => {
  const row = z.object({ row: z.tuple([z.string()], z.number()) })
  const sent = { name: 'read', inputSchema: { type: 'object' }, outputSchema: z.toJSONSchema(row) }
  const check = (schema: object) =>
    new AjvJsonSchemaValidator().getValidator(schema)({ row: ['a', 1, 2] }).valid
  const { tools } = usableTools([sent], 1_000_000)
  expect([check(sent.outputSchema), check(tools[0]?.outputSchema ?? {})]).toEqual([false, true])
})
