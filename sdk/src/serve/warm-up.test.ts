import { afterEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { ContextPlatform, ToolContext } from '../tool/context.ts'
import { createDynamicTools } from '../tool/create-dynamic-tools.ts'
import { createTool } from '../tool/create-tool.ts'
import { warmUp } from './warm-up.ts'

afterEach(() => vi.restoreAllMocks())

const dynamic = (handler: (args: unknown, context: ToolContext) => Promise<string>) =>
  createDynamicTools({
    list: async () => ({ tools: [] }),
    find: async (name) => createTool({ metadata: { name }, handler }),
    rehearsal: {
      tool: 'any',
      platform: {
        now: () => 0,
        fetch: async () => new Response(''),
        variables: { get: (name: string) => (name === 'name' ? 'x' : undefined) },
      } as unknown as ContextPlatform,
    },
  })

describe('the rehearsal of a component', () => {
  it('checks arguments by every schema and runs no handler', async () => {
    const handler = vi.fn(() => '')
    const checked = vi.fn(() => true)
    const inputSchema = z.object({ name: z.string().refine(checked), size: z.number() })
    const tool = (name: string) => createTool({ metadata: { name, inputSchema }, handler })
    await warmUp({ tools: [tool('one'), tool('two')] })
    expect(checked.mock.calls.length).toBeGreaterThanOrEqual(2)
    expect(handler).not.toHaveBeenCalled()
  })

  it('has stand-ins for chance and time, which only a host can give', async () => {
    const asked = [
      vi.spyOn(Math, 'random'),
      vi.spyOn(performance, 'now'),
      vi.spyOn(crypto, 'randomUUID'),
      vi.spyOn(crypto, 'getRandomValues'),
    ]
    const used = vi.fn()
    const inputSchema = z.object({
      id: z.string().transform((id) => {
        used(Math.random(), performance.now(), crypto.getRandomValues(new Uint8Array(1)))
        return id + crypto.randomUUID()
      }),
    })
    await warmUp({
      tool: createTool({ metadata: { name: 'any', inputSchema }, handler: () => '' }),
    })
    expect(used).toHaveBeenCalled()
    for (const ask of asked) expect(ask).not.toHaveBeenCalled()
  })

  it('does not wait for a check that sends a request, and sends none', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch')
    const answered = vi.fn()
    const inputSchema = z.object({
      free: z.string().refine(async (name) => {
        answered(await globalThis.fetch(`http://names.example/${name}`))
        return true
      }),
    })
    await warmUp({
      tool: createTool({ metadata: { name: 'any', inputSchema }, handler: () => '' }),
    })
    expect(fetch).not.toHaveBeenCalled()
    expect(answered).not.toHaveBeenCalled()
  })

  it('takes the stand-ins away', async () => {
    const { random } = Math
    await warmUp({ tool: createTool({ metadata: { name: 'any' }, handler: () => '' }) })
    expect(Math.random).toBe(random)
    expect(crypto.randomUUID()).not.toBe(crypto.randomUUID())
    expect(Object.hasOwn(crypto, 'randomUUID')).toBe(false)
  })

  it('does not mind a schema that throws, or that no sample fits', async () => {
    const inputSchema = z.object({
      broken: z.string().transform(() => {
        throw new Error('Not now')
      }),
      never: z.never(),
    })
    const tool = createTool({ metadata: { name: 'any', inputSchema }, handler: () => '' })
    await expect(warmUp({ tool })).resolves.toBeUndefined()
  })

  it('makes the call that a set of dynamic tools asks for, twice, without a host', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch')
    const handler = vi.fn(async (_: unknown, { platform }: ToolContext) => {
      const timer = setTimeout(() => undefined, 1000)
      await platform.fetch('http://a.example')
      clearTimeout(timer)
      return platform.variables.get('name') ?? ''
    })
    await warmUp({ tools: dynamic(handler) })
    expect(handler).toHaveBeenCalledTimes(2)
    expect(fetch).not.toHaveBeenCalled()
  })

  it.each([
    ['fails', () => Promise.reject(new Error('no')), 'status 500'],
    ['waits', () => new Promise<string>(() => undefined), 'no answer'],
  ])('refuses to build a component whose own call %s', async (_, handler, message) => {
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    await expect(warmUp({ tools: dynamic(handler) })).rejects.toThrow(message)
  })

  it('leaves a component alone that answers every request itself', async () => {
    const fetch = vi.fn(() => new Response())
    await warmUp({ default: { fetch } })
    expect(fetch).not.toHaveBeenCalled()
  })
})
