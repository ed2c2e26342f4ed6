// What the public route of the sign-in pages does not open, where the host finds routes by the path as it was sent (Spin).
import { memoryPlatform } from 'ftl-platform/memory'
import { toComponent } from 'ftl-sdk/serve'
import { describe, expect, it } from 'vitest'
import { tools } from './main.ts'

const component = toComponent({ tools }, 'remote')

/** The server answers calls, so that a call which got through is seen. */
function world() {
  const requests: string[] = []
  const platform = memoryPlatform({
    variables: {
      remote_servers: JSON.stringify({ one: { url: 'http://127.0.0.1:1/mcp' } }),
    },
    async fetch(input, init) {
      const { id, method } = JSON.parse(await new Request(input, init).text()) as {
        id?: number
        method: string
      }
      requests.push(method)
      const result = {
        initialize: { protocolVersion: '2025-11-25', capabilities: {} },
        'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text: 'paid' }] },
      }[method]
      return Response.json({ jsonrpc: '2.0', id, result })
    },
  })
  const send = (method: string, url: string, sender: string | string[]) => {
    const headers = new Headers({
      'ftl-principal': 'key:ann',
      'content-type': 'application/json',
      'spin-matched-route': '/connect/...',
    })
    for (const each of [sender].flat()) headers.append('spin-client-addr', each)
    const body = method === 'POST' ? '{}' : null
    return component.fetch(new Request(url, { method, headers, body }), platform)
  }
  return { requests, send }
}

const COMPONENT = '0.0.0.0:0'

describe('the component behind its public route', () => {
  it.each([
    ['POST', '/connect/%2e%2e/pay'],
    ['POST', '/connect/..\\pay'],
    ['GET', '/connect/../'],
    ['GET', '/connect/%2E./resources?uri=note://x'],
    ['POST', '/connect/.%2e/complete'],
    ['POST', '/pay'],
  ])('answers %s %s of a client only with a page', async (method, path) => {
    for (const sender of ['203.0.113.7:4711', [COMPONENT, '203.0.113.7:4711'], '[::1]:80']) {
      const { requests, send } = world()
      for (const host of ['gateway.example', 'remote.spin.internal']) {
        const response = await send(method, `http://${host}${path}`, sender)
        expect(response.status).toBe(404)
        expect(response.headers.get('content-type')).toMatch(/^text\/html/)
      }
      expect(requests).toEqual([])
    }
  })

  it('answers the gateway', async () => {
    const { send } = world()
    const response = await send('POST', 'http://remote.spin.internal/pay', COMPONENT)
    expect(await response.json()).toMatchObject({ content: [{ text: 'paid' }] })
  })
})
