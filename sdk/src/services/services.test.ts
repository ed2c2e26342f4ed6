// What a context offers of the host, on a platform in memory and a network of the test's own.
import { memoryPlatform, type MemoryPlatformOptions } from 'ftl-platform/memory'
import { describe, expect, it } from 'vitest'
import { createTool, type ToolContext, ToolError } from '../index.ts'
import { createContext } from '../serve/context.ts'
import { toComponent } from '../serve/component.ts'

function contextWith(
  options: MemoryPlatformOptions = {},
  headers: Record<string, string> = {},
): ToolContext {
  const request = new Request('http://cook.spin.internal/', { headers })
  const owned = createContext(request, memoryPlatform(options), 'cook')
  owned.started = options.now?.() ?? Date.now()
  return owned.context
}

describe('variables', () => {
  it('are read, and say what spin.toml lacks', () => {
    const { variables } = contextWith({ variables: { unit: 'grams' } })
    expect([variables.get('unit'), variables.get('key')]).toEqual(['grams', undefined])
    expect(variables.require('unit')).toBe('grams')
    expect(() => variables.require('key')).toThrow(
      '"key" is not set. Write in spin.toml:\n  [variables]\n  key = { required = true }\n' +
        '  [component.cook.variables]\n  key = "{{ key }}"',
    )
  })
})

describe('kv', () => {
  it('keeps bytes, texts and JSON', async () => {
    const { kv } = contextWith()
    await kv.set('bytes', new Uint8Array([1, 2]))
    await kv.set('text', 'Grüße')
    await kv.setJson('json', { a: [1] })
    expect(await kv.get('bytes')).toEqual(new Uint8Array([1, 2]))
    expect(await kv.getText('text')).toBe('Grüße')
    expect(await kv.getJson('json')).toEqual({ a: [1] })
    expect(await kv.getJson('nothing')).toBeUndefined()
    expect((await kv.keys()).sort()).toEqual(['bytes', 'json', 'text'])
    await kv.delete('text')
    expect(await kv.exists('text')).toBe(false)
  })

  it('opens a store when it is used, and says which line opens one that is closed', async () => {
    const { kv } = contextWith({ keyValueStores: ['default', 'other'] })
    const other = kv.open('other')
    await other.set('a', 'b')
    expect(await kv.exists('a')).toBe(false)
    const closed = kv.open('closed')
    await expect(closed.get('a')).rejects.toThrow(
      '[component.cook]\n  key_value_stores = ["closed"]',
    )
  })
})

describe('fetch', () => {
  it('ends at the deadline', async () => {
    const { fetch } = contextWith(
      {
        fetch: (_, init) =>
          new Promise((_, reject) =>
            init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
          ),
      },
      { 'ftl-deadline': '20' },
    )
    await expect(fetch('http://slow.example/')).rejects.toThrow('no answer within 20 ms')
  })

  it('ends by a signal of its own, and leaves a response that has begun alone', async () => {
    const seen: AbortSignal[] = []
    const { fetch } = contextWith({
      fetch: async (_, init) => {
        if (init?.signal) seen.push(init.signal)
        return new Response('begun')
      },
    })
    const mine = new AbortController()
    const response = await fetch(new URL('http://a.example/'), { signal: mine.signal })
    mine.abort()
    expect(seen[0]?.aborted).toBe(false)
    expect(await response.text()).toBe('begun')
    await expect(
      contextWith({
        fetch: async (_, init) => Promise.reject(init?.signal?.reason as Error),
      }).fetch('http://a.example/', { signal: AbortSignal.abort(new Error('mine')) }),
    ).rejects.toThrow('mine')
  })

  it('says which host to allow', async () => {
    await expect(contextWith().fetch('https://api.example:8443/x?y')).rejects.toThrow(
      '[component.cook]\n  allowed_outbound_hosts = ["https://api.example:8443"]',
    )
  })
})

describe('callTool', () => {
  const pantry = toComponent(
    {
      tool: createTool({
        metadata: {
          name: 'stock',
          inputSchema: {
            type: 'object',
            properties: { what: { type: 'string' } },
            required: ['what'],
          },
        },
        handler: ({ what }, { principal, requestId, deadline, trace }) => {
          if (what === 'snow') throw new ToolError('it melts', { kind: 'weather' })
          if (what === 'fire') throw new Error('secret')
          return { what, principal, requestId, deadline, trace }
        },
      }),
    },
    'pantry',
  )
  const network: MemoryPlatformOptions['fetch'] = (input, init) =>
    pantry.fetch(new Request(input, init), memoryPlatform())
  const headers = {
    'ftl-principal': 'ada',
    'ftl-request-id': 'r1',
    'ftl-deadline': '5000',
    traceparent: '00-1',
  }

  it('hands on who calls, for which request, and what time is left', async () => {
    let now = 1000
    const context = contextWith({ fetch: network, now: () => now }, headers)
    now += 1500
    const { structuredContent, text } = await context.callTool('pantry', { what: 'flour' })
    const handed = {
      principal: 'ada',
      requestId: 'r1',
      deadline: 3500,
      trace: { traceparent: '00-1' },
    }
    expect(structuredContent).toEqual({ what: 'flour', ...handed })
    expect(JSON.parse(text)).toEqual(structuredContent)
  })

  it('does not begin when no time is left', async () => {
    let now = 1000
    const { callTool } = contextWith({ fetch: network, now: () => now }, headers)
    now += 5000
    await expect(callTool('pantry', {})).rejects.toThrow('no time is left')
  })

  it.each<[string, object, string]>([
    ['pantry', { what: 'snow' }, 'it melts'],
    ['pantry/stock', {}, 'what: is required'],
  ])('fails as the tool does: %s %j', async (target, args, words) => {
    const call = contextWith({ fetch: network }).callTool(target, args as Record<string, unknown>)
    await expect(call).rejects.toThrow(ToolError)
    await expect(call).rejects.toThrow(words)
  })

  it('keeps its data, and hides what callers must not see', async () => {
    const { callTool } = contextWith({ fetch: network })
    await expect(callTool('pantry', { what: 'snow' })).rejects.toMatchObject({
      data: { kind: 'weather' },
    })
    await expect(callTool('pantry', { what: 'fire' })).rejects.toThrow(
      /^tool pantry failed \(HTTP 500\)$/,
    )
  })

  it('names a tool that is not there, and the hosts to allow', async () => {
    const { callTool } = contextWith({ fetch: network })
    await expect(callTool('pantry/gone', {})).rejects.toThrow('there is no tool "pantry/gone"')
    await expect(callTool('http://evil/', {})).rejects.toThrow(
      'write "component" or "component/tool"',
    )
    await expect(contextWith().callTool('pantry', {})).rejects.toThrow(
      'allowed_outbound_hosts = ["http://*.spin.internal"]',
    )
  })
})
