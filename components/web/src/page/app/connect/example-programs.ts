/** Programs that connect to the gateway. docs/clients.md has the same, for a gateway without authentication. */

export function typescriptCode(url: string, hasKey: boolean): string {
  const transport = hasKey
    ? `const headers = { Authorization: \`Bearer \${process.env['FTL_TOKEN']}\` }
const url = new URL('${url}')
await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))`
    : `await client.connect(new StreamableHTTPClientTransport(new URL('${url}')))`
  return `import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const client = new Client({ name: 'example', version: '1.0.0' })
${transport}
const result = await client.callTool({ name: 'echo', arguments: { message: 'hello' } })
console.log(JSON.stringify(result.content))
await client.close()`
}

export function pythonCode(url: string, hasKey: boolean): string {
  if (!hasKey) {
    return `import asyncio
from mcp import Client

async def main():
    async with Client("${url}") as client:
        result = await client.call_tool("echo", {"message": "hello"})
        print(result.content)

asyncio.run(main())`
  }
  return `import asyncio, os
from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

async def main():
    http = create_mcp_http_client({"Authorization": f"Bearer {os.environ['FTL_TOKEN']}"})
    transport = streamable_http_client("${url}", http_client=http)
    async with Client(transport) as client:
        result = await client.call_tool("echo", {"message": "hello"})
        print(result.content)

asyncio.run(main())`
}

export function openaiCode(origin: string, hasKey: boolean): string {
  const headers = hasKey
    ? `\nconst headers = { authorization: \`Bearer \${process.env['FTL_TOKEN']}\` }`
    : ''
  const listing = hasKey ? ', { headers }' : ''
  const posted = hasKey
    ? `{ ...headers, 'content-type': 'application/json' }`
    : `{ 'content-type': 'application/json' }`
  return `import OpenAI from 'openai'

const gateway = '${origin}'${headers}
const model = 'gpt-5-mini'
const openai = new OpenAI()
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'What is 6 × 7?' }]
const listed = await fetch(\`\${gateway}/tools?format=openai\`${listing})
const { tools } = (await listed.json()) as { tools: OpenAI.ChatCompletionTool[] }

for (;;) {
  const { choices } = await openai.chat.completions.create({ model, messages, tools })
  const message = choices[0]?.message
  if (!message) break
  messages.push(message)
  if (!message.tool_calls) break
  const answered = await fetch(\`\${gateway}/invoke\`, {
    method: 'POST',
    headers: ${posted},
    body: JSON.stringify(message.tool_calls),
  })
  messages.push(...((await answered.json()) as OpenAI.ChatCompletionToolMessageParam[]))
}
console.log(messages.at(-1)?.content)`
}
