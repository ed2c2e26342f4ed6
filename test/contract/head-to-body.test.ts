// A server without TCP_NODELAY, such as Spin, sends a body that is written after its head 40 ms late to a client that keeps
// its connection. So what leaves a component must leave in one piece.
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApplication, type TestApplication } from '../support/application.ts'

let application: TestApplication
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
beforeAll(async () => {
  // Without the fixtures' slow components: a list would wait a second for them, each time.
  application = await startApplication({
    variables: { tool_components: 'echo,example,weather,counter,contents' },
  })
})
afterAll(async () => {
  agent.destroy()
  await application.close()
})

/** Milliseconds; a delayed acknowledgement takes 40. */
const STALL_MS = 25
const TIMES = 15
/** An application from outside has the slow components, which a list asks each time, for one second. */
const LIMIT_MS = 60_000

/** @returns milliseconds between the head and the end of the body. */
function gapOf(path: string, body?: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { agent, method: body ? 'POST' : 'GET' }
    const sent = request(application.url + path, options, (response) => {
      const head = performance.now()
      response.on('end', () => resolve(performance.now() - head)).resume()
    })
    sent.on('error', reject).setHeader('content-type', 'application/json')
    sent.end(body && JSON.stringify(body))
  })
}

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

it.each<[string, string, object?]>([
  ['tools/list', '/mcp', rpc('tools/list')],
  ['ping', '/mcp', rpc('ping')],
  ['tools/call', '/mcp', rpc('tools/call', { name: 'weather', arguments: {} })],
  ['GET /tools', '/tools'],
  ['an unknown job', '/jobs/00000000-0000-4000-8000-000000000000'],
])(
  '%s: the body comes with the head',
  async (_, path, body) => {
    const gaps: number[] = []
    for (let sent = 0; sent < TIMES; sent++) gaps.push(await gapOf(path, body))
    // The machine may stop for a moment; Spin stalled in half of the requests.
    expect(gaps.filter((gap) => gap > STALL_MS).length).toBeLessThanOrEqual(TIMES / 5)
  },
  LIMIT_MS,
)
