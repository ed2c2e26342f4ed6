// What a call costs on the embedded host: one connection, keep-alive, whole requests seen from outside.
// Run: npm run bench. Compare rows of one run; machines differ and are shared.
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startHost } from 'ftl-host'

const WARM_UP = 50
const CALLS = 1000

interface Row {
  name: string
  path: string
  body?: string
}

const call = (name: string, args: unknown) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  })

const ROWS: Row[] = [
  { name: 'well-known route, no component', path: '/.well-known/spin/health' },
  {
    name: 'one component: MCP ping',
    path: '/mcp',
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  },
  {
    name: 'two components: tools/call echo',
    path: '/mcp',
    body: call('echo', { message: 'Hello' }),
  },
  {
    name: 'four components: tools/list',
    path: '/mcp',
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  },
]

const stateDir = await mkdtemp(join(tmpdir(), 'ftl-bench-'))
const host = await startHost({
  manifest: fileURLToPath(new URL('../spin.toml', import.meta.url)),
  listen: '127.0.0.1:0',
  stateDir,
})
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

function send({ path, body }: Row): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${host.url}${path}`,
      {
        agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
      },
      (response) => {
        response.resume()
        response.on('end', resolve)
        if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

async function measure(
  row: Row,
  connections: number,
): Promise<{ times: number[]; perSecond: number }> {
  const times: number[] = []
  let left = CALLS
  const began = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) {
        const started = performance.now()
        await send(row)
        times.push(performance.now() - started)
      }
    }),
  )
  return {
    times: times.sort((a, b) => a - b),
    perSecond: (CALLS / (performance.now() - began)) * 1000,
  }
}

const at = (times: number[], part: number) =>
  (times[Math.floor(times.length * part)] ?? 0).toFixed(2)

console.log('connections  p50 ms  p99 ms  requests/s  what')
for (const row of ROWS) {
  for (let i = 0; i < WARM_UP; i++) await send(row)
  for (const connections of [1, 4]) {
    const { times, perSecond } = await measure(row, connections)
    const columns = [
      String(connections).padStart(11),
      at(times, 0.5).padStart(6),
      at(times, 0.99).padStart(6),
      perSecond.toFixed(0).padStart(10),
    ]
    console.log(`${columns.join('  ')}  ${row.name}`)
  }
}
agent.destroy()
await host.close()
await rm(stateDir, { recursive: true, force: true })
