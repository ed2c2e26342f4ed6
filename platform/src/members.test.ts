import { describe, expect, it, vi } from 'vitest'
import { memoryPlatform } from './memory.ts'
import { type Answer, type Member, serveMembers } from './members.ts'
import type { Platform } from './platform.ts'

const member = (name: string, answer: Answer, more: Partial<Member> = {}): Member => ({
  name,
  variables: {},
  stores: [],
  files: {},
  calls: [],
  routes: [],
  answer,
  ...more,
})

const text = (words: string) => async () => new Response(words)

/** Gives the platform that the member has. */
async function viewOf(
  more: Partial<Member>,
  options: Parameters<typeof memoryPlatform>[0] = {},
  others: Member[] = [],
): Promise<Platform> {
  let view: Platform | undefined
  const first = member(
    'first',
    async (_, platform) => {
      view = platform
      return new Response()
    },
    { routes: ['/...'], ...more },
  )
  await serveMembers([first, ...others])(new Request('http://localhost/'), memoryPlatform(options))
  return view as Platform
}

describe('a request', () => {
  const answer = serveMembers([
    member('gateway', text('gateway'), { routes: ['/...'] }),
    member('page', text('page'), { routes: ['/', '/app/...', '/docs'] }),
    member('secret', text('secret')),
  ])
  const ask = async (path: string, headers: Record<string, string> = {}) =>
    (await answer(new Request(`http://localhost${path}`, { headers }), memoryPlatform())).text()

  it.each([
    ['/', 'page'],
    ['/app', 'page'],
    ['/app/a/b', 'page'],
    ['/docs', 'page'],
    ['/documents', 'gateway'],
    ['/mcp', 'gateway'],
    ['/apple', 'gateway'],
  ])('to %s is for %s', async (path, name) => {
    expect(await ask(path)).toBe(name)
  })

  it('of a client names no caller', async () => {
    const seen = serveMembers([
      member(
        'page',
        async ({ headers, method }, platform) => {
          if (headers.has('x-own')) return new Response(JSON.stringify([method, ...headers]))
          const init = { headers: { 'ftl-principal': 'ann', 'x-own': '1' } }
          return platform.fetch('http://tool.spin.internal/', init)
        },
        { routes: ['/...'], calls: ['tool'] },
      ),
      member('tool', async ({ headers }) => new Response(headers.get('ftl-principal'))),
    ])
    const ask = async (headers: Record<string, string>) =>
      (
        await seen(new Request('http://localhost/', { method: 'POST', headers }), memoryPlatform())
      ).text()
    const forged = { 'ftl-principal': 'eve', 'ftl-caller': '{}' }
    expect(JSON.parse(await ask({ ...forged, 'x-own': '1' }))).toEqual(['POST', ['x-own', '1']])
    expect(await ask(forged)).toBe('ann')
    const inside = { 'x-own': '1', 'ftl-principal': 'ann', 'spin-client-addr': '0.0.0.0:0' }
    expect(await ask(inside)).toContain('ann')
  })

  it('of a client never reaches a member without a route', async () => {
    expect(await ask('/mcp', { 'ftl-component': 'secret' })).toBe('gateway')
    const forged = new Request('http://secret.spin.internal/', { method: 'POST' })
    expect(await (await answer(forged, memoryPlatform())).text()).toBe('page')
  })

  it('names its member where none has a route', async () => {
    const group = serveMembers([member('a', text('a')), member('b', text('b'))])
    const send = (headers: Record<string, string>) =>
      group(new Request('http://group.spin.internal/', { headers }), memoryPlatform())
    expect(await (await send({ 'ftl-component': 'b' })).text()).toBe('b')
    const unnamed = await send({})
    expect(unnamed.status).toBe(404)
    expect(await unnamed.text()).toContain('name one of a, b in the header ftl-component')
    expect((await send({ 'ftl-component': '__proto__' })).status).toBe(404)
  })
})

it('a member of a group reads its own name from the address, and the body as it was sent', async () => {
  const group = serveMembers([
    member('a', async (request) => new Response(`${request.url} ${await request.text()}`)),
  ])
  const headers = { 'ftl-component': 'a' }
  const request = new Request('http://group.spin.internal/run?x=1', {
    method: 'POST',
    headers,
    body: 'hi',
  })
  const answer = await group(request, memoryPlatform())
  expect(await answer.text()).toBe('http://a.spin.internal/run?x=1 hi')
})

describe('a member that calls another', () => {
  const other = member('other', async (request) => new Response(await request.text()))

  it('reaches it without the network, by its name', async () => {
    const view = await viewOf({ calls: ['other'] }, {}, [other])
    const response = await view.fetch('http://other.spin.internal/x?y', {
      method: 'POST',
      body: 'hi',
    })
    expect(await response.text()).toBe('hi')
  })

  it('is refused where its component may not call it', async () => {
    const view = await viewOf({ calls: ['third'] }, {}, [other])
    await expect(view.fetch('http://other.spin.internal/')).rejects.toThrow(TypeError)
  })

  it('gets 500 where the callee throws, and the reason is only printed', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const broken = member('broken', () => Promise.reject(new Error('zzq secret')))
    const view = await viewOf({ calls: ['*'] }, {}, [broken])
    const response = await view.fetch('http://broken.spin.internal/')
    expect([response.status, await response.text()]).toEqual([500, ''])
    expect(String(printed.mock.calls)).toContain('zzq secret')
    printed.mockRestore()
  })

  it('does not wait for it beyond its signal', async () => {
    const hangs = member('hangs', () => new Promise<never>(() => undefined))
    const view = await viewOf({ calls: ['*'] }, {}, [hangs])
    const controller = new AbortController()
    const response = view.fetch('http://hangs.spin.internal/', { signal: controller.signal })
    controller.abort(new Error('late'))
    await expect(response).rejects.toThrow('late')
  })

  it.each(['http://other.spin.internal.example/', 'http://a.other.spin.internal/', 'https://x/'])(
    'sends other addresses to the network: %s',
    async (url) => {
      const fetched = vi.fn(async () => new Response('network'))
      const view = await viewOf({ calls: ['*'] }, { fetch: fetched }, [other])
      expect(await (await view.fetch(url)).text()).toBe('network')
    },
  )
})

describe('what a member sees', () => {
  it('are its own variables, under their names, and what the host tells every component', async () => {
    const { variables } = await viewOf(
      { variables: { key: 'first_key' } },
      {
        variables: {
          key: 'of another',
          first_key: 'own',
          dev_build: '7',
          host_stops: 'true',
          own_store: 'x',
        },
      },
    )
    expect(variables.get('key')).toBe('own')
    expect(variables.get('first_key')).toBeUndefined()
    expect(variables.get('constructor')).toBeUndefined()
    expect(variables.get('dev_build')).toBe('7')
    expect(variables.get('host_stops')).toBe('true')
    // Other members can open that store.
    expect(variables.get('own_store')).toBeUndefined()
  })

  it('are its own entries of a store', async () => {
    const seen: Record<string, Platform> = {}
    const keep = (name: string) =>
      member(
        name,
        async (_, platform) => {
          seen[name] = platform
          return new Response()
        },
        { stores: ['default'] },
      )
    const platform = memoryPlatform({ conditionalWrites: true })
    const answer = serveMembers([keep('a'), keep('b')])
    for (const name of ['a', 'b']) {
      const headers = { 'ftl-component': name }
      await answer(new Request('http://group.spin.internal/', { headers }), platform)
    }
    const a = await seen['a']?.openKeyValue('default')
    const b = await seen['b']?.openKeyValue('default')
    await a?.set('count', '1')
    expect(await b?.exists('count')).toBe(false)
    expect(await b?.setIf?.('count', undefined, '2')).toBe(true)
    expect(new TextDecoder().decode(await a?.get('count'))).toBe('1')
    expect(await a?.keys()).toEqual(['count'])
    await expect(seen['a']?.openKeyValue('other')).rejects.toMatchObject({ tag: 'access-denied' })
  })

  it('are its own folders', async () => {
    const { files } = await viewOf(
      { files: { '/config': '/first/config' } },
      { files: { '/first/config/a.json': '1', '/second/config/b.json': '2' } },
    )
    expect(await files.list('/config')).toEqual(['a.json'])
    expect(new TextDecoder().decode(await files.read('/config/a.json'))).toBe('1')
    expect(await files.stamp('/config/b.json')).toBeUndefined()
  })
})
