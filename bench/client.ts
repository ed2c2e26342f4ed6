// What a call by ftl-client costs beside one by the bare official client, against the same server, in turns.
// Run: npm run bench -- --section client, or node bench/client.ts.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import {
  Client as OfficialClient,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client, type ServerConfig } from 'ftl-client'
import { Report } from './report.ts'
import { median, milliseconds } from './statistics.ts'

const SERVER = fileURLToPath(new URL('../test/client/servers/misbehaving.ts', import.meta.url))
const PROCESS = { command: process.execPath, args: [SERVER, 'none'] }
const ROUNDS = 100
const CALLS = 50
/** More than this much of the official client's time is too much. */
const BUDGET = 1.2

type Call = () => Promise<unknown>

export async function client(report: Report): Promise<void> {
  const web = await startWebServer()
  const title = `A call of ftl-client against the official client (ratio: at most ${BUDGET})`
  const table = report.table(title, 'official ms', 'ftl-client ms', 'ratio', 'what')
  try {
    const rows = [
      ['a process', PROCESS, () => new StdioClientTransport({ ...PROCESS, stderr: 'ignore' })],
      ['HTTP', { url: web.url }, () => new StreamableHTTPClientTransport(new URL(web.url))],
    ] as const
    for (const [name, config, transport] of rows) {
      for (const concurrent of [1, 20]) {
        const { official, ours } = await compare(config, transport(), concurrent)
        // Of neighbours in time, because the machine is busier in some rounds than in others.
        const ratio = median(ours.map((time, round) => time / official[round]!))
        const what = `${name}, ${concurrent} at once`
        const times = [median(official), median(ours)].map((time) => milliseconds(time))
        table.row(...(times as [string, string]), ratio.toFixed(2), what)
      }
    }
  } finally {
    await web.close()
  }
}

async function compare(config: ServerConfig, transport: Transport, concurrent: number) {
  const official = new OfficialClient({ name: 'bench', version: '1.0.0' })
  await official.connect(transport)
  const ours = await Client.connect({ ...config, protocol: 'legacy' })
  await ours.initialize()
  // Both know the list, as a user's program would.
  await Promise.all([official.listTools(), ours.listTools()])
  const args = { text: 'Hello' }
  const calls: Record<'official' | 'ours', Call> = {
    official: () => official.callTool({ name: 'say', arguments: args }),
    ours: () => ours.callTool('say', args),
  }
  const times = { official: [] as number[], ours: [] as number[] }
  for (let round = -10; round < ROUNDS; round++) {
    // Each goes first as often as the other.
    const order =
      round % 2 === 0 ? (['official', 'ours'] as const) : (['ours', 'official'] as const)
    for (const who of order) {
      const time = await timed(calls[who], concurrent)
      if (round >= 0) times[who].push(time)
    }
  }
  await Promise.all([official.close(), ours.close()])
  return times
}

/** Milliseconds a call. */
async function timed(call: Call, concurrent: number): Promise<number> {
  const began = performance.now()
  for (let made = 0; made < CALLS; made += concurrent) {
    await Promise.all(Array.from({ length: concurrent }, call))
  }
  return (performance.now() - began) / CALLS
}

/** The least an MCP server can be, so that what is measured is the client. */
async function startWebServer(): Promise<{ url: string; close(): Promise<void> }> {
  const tools = [{ name: 'say', inputSchema: { type: 'object' } }]
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'bench', version: '1.0.0' },
    },
    'tools/list': { tools },
    'tools/call': { content: [{ type: 'text', text: 'Hello' }] },
  }
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    void json(request).then((message) => {
      const { id, method } = message as { id?: number; method: string }
      if (id === undefined) return response.writeHead(202).end()
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

if (import.meta.main) await client(new Report())
