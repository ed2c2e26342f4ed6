import { describe, expect, it } from 'vitest'
import type { App } from './app.ts'
import { createToolRepository } from './catalog/repository.ts'
import { createToolInvoker } from './invoke/invoker.ts'
import { createGateway, createGuardedInvoker } from './shipped.ts'
import { authenticatedWorld, BOTH } from './testing/authenticated.ts'
import { call, several, text, tool } from './testing/components.ts'
import { API_KEY } from './testing/issuer.ts'

const policy = JSON.stringify({ rules: [{ effect: 'allow', tools: ['echo'] }] })

/** What comes of the calls of a caller who may use `echo` only. */
async function called(app: App) {
  const world = authenticatedWorld({ ...BOTH, policy }, undefined, {
    app,
    components: { two: several([tool('echo'), tool('forget')], (name) => text(name)) },
  })
  const send = async (name: string) => {
    const answer = await world.get('/mcp', API_KEY, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call(name, {})),
    })
    return ((await answer.json()) as { result?: unknown }).result
  }
  const results = [await send('echo'), await send('forget')]
  const posted = world.log.filter((line) => line.startsWith('POST'))
  return { results, posted }
}

describe('the invoker of a custom gateway', () => {
  it('finds what the caller may use, and nothing else, in a repository of its own', async () => {
    const tools = createToolRepository()
    const { results, posted } = await called(
      createGateway({ gateway: { tools, invoker: createGuardedInvoker(tools) } }),
    )
    expect(results).toEqual([text('echo'), undefined])
    expect(posted).toEqual(['POST http://two.spin.internal/echo'])
  })

  // Nothing has decided about its tools, so it must not be a way around the policy.
  it('runs nothing if it reads a repository without the policy', async () => {
    const tools = createToolRepository()
    const invoker = createToolInvoker(tools)
    const { results, posted } = await called(createGateway({ gateway: { tools, invoker } }))
    expect(results).toEqual([undefined, undefined])
    expect(posted).toEqual([])
  })
})
