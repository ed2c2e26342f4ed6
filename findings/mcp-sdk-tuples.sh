#!/bin/sh
# MCP TypeScript SDK 1.32.2 with Zod 4.6.7: a client refuses a valid result if its schema has a tuple with further items.
#
# Guess: the SDK checks a result by the draft that its `outputSchema` names. Zod 4 writes 2020-12 and names it, and the specification
# (revision 2025-11-25) makes 2020-12 the default, so ["a", 1, 2] is valid for a tuple of a string and further numbers. A server of this
# SDK writes the tuples of Zod 4 in 2020-12, too.
# Seen (1 December 2026): a server of the SDK writes draft 7 also for Zod 4 (`items` with a list). A client checks by draft 7 whatever the
# schema names, does not know `prefixItems`, and holds `items`, which in 2020-12 is for further items, against all of them: the call fails
# with -32602. Nothing says that the draft is not known. Without a word on further items the same result is accepted.
#
#   the server writes: http://json-schema.org/draft-07/schema# items [{"type":"string"},{"type":"number"}]
#   a tuple with further items: -32602
#   a tuple without a word on them: accepted
#
# Needs node (20 or newer) and npm. Ends with 1 if the behaviour is another one.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module"}\n' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1.32.2 zod@4.6.7 >/dev/null

cat > run.js <<'JS'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'

async function connected(server) {
  const client = new Client({ name: 'finding', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(theirs), client.connect(ours)])
  return client
}

const high = new McpServer({ name: 'finding', version: '1' })
const pair = z.tuple([z.string(), z.number()])
high.registerTool('store', { inputSchema: { pair } }, () => ({ content: [] }))
const { tools } = await (await connected(high)).listTools()
const { $schema, properties } = tools[0].inputSchema
console.log(`the server writes: ${$schema} items ${JSON.stringify(properties.pair.items)}`)

async function result(outputSchema) {
  const server = new Server({ name: 'finding', version: '1' }, { capabilities: { tools: {} } })
  const tool = { name: 'read', inputSchema: { type: 'object' }, outputSchema }
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [tool] }))
  const structuredContent = { row: ['a', 1, 2] }
  server.setRequestHandler(CallToolRequestSchema, () => ({ content: [], structuredContent }))
  const client = await connected(server)
  await client.listTools()
  return client.callTool({ name: 'read' }).then(
    () => 'accepted',
    ({ code }) => code,
  )
}

const row = z.toJSONSchema(z.object({ row: z.tuple([z.string()]).rest(z.number()) }))
console.log(`a tuple with further items: ${await result(row)}`)
const { items, ...open } = row.properties.row
const without = { ...row, properties: { row: open } }
console.log(`a tuple without a word on them: ${await result(without)}`)
JS

output=$(node run.js)
echo "$output"
expected='the server writes: http://json-schema.org/draft-07/schema# items [{"type":"string"},{"type":"number"}]
a tuple with further items: -32602
a tuple without a word on them: accepted'
[ "$output" = "$expected" ] || { echo "another behaviour than the one that was seen" >&2; exit 1; }
