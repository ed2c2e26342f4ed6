import { afterEach, describe, expect, it, vi } from 'vitest'
import { createGateway } from './shipped.ts'
import { warmUp } from './warm-up.ts'

afterEach(() => vi.restoreAllMocks())

describe('the rehearsal of the gateway', () => {
  it('asks nothing of a host that is not there while a component is built', async () => {
    const asked = [
      vi.spyOn(globalThis, 'setTimeout'),
      vi.spyOn(globalThis, 'fetch'),
      vi.spyOn(Math, 'random'),
      vi.spyOn(performance, 'now'),
      vi.spyOn(crypto, 'randomUUID'),
      vi.spyOn(crypto, 'getRandomValues'),
    ]
    await warmUp(createGateway())
    for (const ask of asked) expect(ask).not.toHaveBeenCalled()
  })

  it('leaves the timers as they were', async () => {
    const { setTimeout, clearTimeout } = globalThis
    await warmUp(createGateway())
    expect(globalThis.setTimeout).toBe(setTimeout)
    expect(globalThis.clearTimeout).toBe(clearTimeout)
  })

  it('leaves nothing in the gateway that a later request could see', async () => {
    const fetch = vi.fn(async () => new Response('{}'))
    const app = createGateway()
    await warmUp(app)
    const { memoryPlatform } = await import('ftl-platform/memory')
    const request = new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    })
    const response = await app.fetch(request, memoryPlatform({ fetch }))
    expect(await response.json()).toMatchObject({ result: { tools: [] } })
    expect(fetch).not.toHaveBeenCalled()
  })

  it('fails, and so does the build, when the gateway does not answer as it should', async () => {
    const { setTimeout } = globalThis
    const broken = {
      ...createGateway(),
      fetch: async () => Response.json({ error: { message: 'Broken' } }),
    }
    await expect(warmUp(broken)).rejects.toThrow(/tools\/list.*Broken/)
    expect(globalThis.setTimeout).toBe(setTimeout)
  })
})
