// The program the official suite runs as a client: it gets the server's address, and the scenario in the environment.
import type { CallToolResult } from '@modelcontextprotocol/client'
import { Client, type ProtocolChoice } from 'ftl-client'

interface Context {
  toolCalls?: { name: string; arguments: Record<string, unknown> }[]
}

const url = process.argv.at(-1)!
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const version = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] ?? ''
const { toolCalls } = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Context

const protocol: ProtocolChoice = version === '2026-07-28' ? 'auto' : 'legacy'
const client = await Client.connect(
  { url, protocol },
  {
    name: scenario,
    answers: {
      // An answer that leaves everything out gets the defaults of the form.
      elicitation: () => {
        const content = scenario.startsWith('elicitation-') ? undefined : { confirmed: true }
        return { action: 'accept', content: content ?? {} }
      },
      sampling: () => ({
        role: 'assistant',
        model: 'none',
        content: { type: 'text', text: 'Hello' },
      }),
      roots: () => [{ uri: 'file:///srv', name: 'srv' }],
    },
  },
)
await client.initialize()
const tools = await client.listTools()

/** What a user would call; several calls at once, because the suite looks whether they are kept apart. */
const calls =
  toolCalls ??
  tools.map(({ name, inputSchema }) => ({
    name,
    arguments: exampleOf(inputSchema.properties ?? {}),
  }))
const results = await Promise.allSettled(
  calls.map(({ name, arguments: args }) => client.callTool(name, args, { timeoutMs: 10_000 })),
)
for (const [index, result] of results.entries()) {
  if (result.status === 'rejected') console.error(calls[index]?.name, result.reason)
  else report(result.value)
}
await client.close()

function report({ content }: CallToolResult): void {
  console.log(JSON.stringify(content))
}

function exampleOf(properties: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(properties).map(([name, schema]) => {
    const { type } = schema as { type?: string }
    return [
      name,
      type === 'number' || type === 'integer' ? 5 : type === 'boolean' ? true : 'example',
    ]
  })
  return Object.fromEntries(entries) as Record<string, unknown>
}
