// A server says in its answers that its lists have changed. Each list is megabytes.
import { toComponent } from 'ftl-sdk/serve'
import type { ContextPlatform } from 'ftl-sdk'
import { expect, test } from 'vitest'
import { tools } from './main.ts'

const NOTICE = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }

async function writesFor(notices: number): Promise<{ writes: number; until: number }> {
  const entries = new Map<string, Uint8Array>()
  let writes = 0
  const works: Promise<unknown>[] = []
  const store = {
    get: async (key: string) => entries.get(key),
    set: async (key: string, value: string | Uint8Array) => {
      if (key.includes(':list:')) writes++
      entries.set(key, typeof value === 'string' ? new TextEncoder().encode(value) : value)
    },
  }
  const results: Record<string, object> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} } },
    'tools/list': { tools: [{ name: 'say', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [] },
  }
  const platform = {
    openKeyValue: async () => store,
    variables: { get: () => JSON.stringify({ one: { url: 'http://one.example/mcp' } }) },
    now: () => 1_000_000,
    async fetch(_: string, init: RequestInit) {
      const { id, method } = JSON.parse(init.body as string) as { id?: number; method: string }
      if (id === undefined) return new Response(null, { status: 202 })
      const result = results[method]
      const answer = { jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601 } }) }
      const sent = method === 'tools/call' ? [...Array<object>(notices).fill(NOTICE), answer] : []
      if (sent.length === 0) return Response.json(answer)
      const body = sent.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
    waitUntil: (work: Promise<unknown>) => void works.push(work),
  } as unknown as ContextPlatform
  const component = toComponent({ tools }, 'remote')
  const ask = (path: string, init?: RequestInit) =>
    component.fetch(new Request(`http://remote.spin.internal${path}`, init), platform)
  await (await ask('/')).text()
  writes = 0
  await (await ask('/say', { method: 'POST', body: '{}' })).text()
  await Promise.all(works)
  const list = [...entries].find(([key]) => key.includes(':list:'))?.[1]
  const { until } = JSON.parse(new TextDecoder().decode(list)) as { until: number }
  return { writes, until }
}

test('a list that has changed is requested again', async () =>
  expect(await writesFor(1)).toEqual({ writes: 1, until: 0 }))

test('thousands of such notices in one answer do not read and write the list thousands of times', async () => {
  const { writes, until } = await writesFor(5_000)
  expect(writes).toBeLessThanOrEqual(16)
  expect(until).toBe(0)
})
