// Names of up to 128 characters, which the protocol permits: what is listed must be callable.
import { toolName } from 'ftl-contract'
import { memoryPlatform } from 'ftl-platform/memory'
import { toComponent } from 'ftl-sdk/serve'
import { expect, it } from 'vitest'
import { tools } from './main.ts'

it.each([64, 65, 128])('a tool with a name of %i characters can be called', async (length) => {
  const name = 'n'.repeat(length)
  const called: unknown[] = []
  const platform = memoryPlatform({
    variables: { remote_servers: JSON.stringify({ one: { url: 'http://127.0.0.1:1/mcp' } }) },
    async fetch(input, init) {
      const { id, method, params } = JSON.parse(await new Request(input, init).text()) as {
        id?: number
        method: string
        params?: { name?: string }
      }
      if (method === 'tools/call') called.push(params?.name)
      const result = {
        initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} } },
        'tools/list': { tools: [{ name, inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text: 'done' }] },
      }[method]
      const error = { code: -32601, message: 'no such method' }
      return Response.json({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })
    },
  })
  const component = toComponent({ tools }, 'remote')
  const headers = { 'content-type': 'application/json', 'spin-client-addr': '0.0.0.0:0' }
  const url = `http://remote.spin.internal/${toolName(name)}`
  const request = new Request(url, { method: 'POST', headers, body: '{}' })
  const response = await component.fetch(request, platform)
  expect(await response.json()).toMatchObject({ content: [{ type: 'text', text: 'done' }] })
  expect(called).toEqual([name])
})
