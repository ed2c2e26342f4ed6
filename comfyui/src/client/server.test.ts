import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startSimulator } from '../../simulator/index.ts'
import { createComfyClient } from './client.ts'
import { toAddress, toWebSocketUrl } from './server.ts'

describe('the address of a server', () => {
  it.each([
    ['http://gpu:8188', 'http://gpu:8188'],
    [' http://gpu:8188/ ', 'http://gpu:8188'],
    ['https://example.com/comfy/', 'https://example.com/comfy'],
    ['https://cloud.example/api', 'https://cloud.example'],
    ['https://cloud.example/x/api/?a=1#b', 'https://cloud.example/x'],
    ['not a url/', 'not a url'],
  ])('%s is %s', (baseUrl, base) => {
    expect(toAddress({ baseUrl })).toEqual({ base, headers: {} })
  })

  it('keeps user and password out of it', () => {
    // RFC 7617: base64 of "me:p@ss wörd" in UTF-8.
    expect(toAddress({ baseUrl: 'http://me:p%40ss%20w%C3%B6rd@gpu:8188' })).toEqual({
      base: 'http://gpu:8188',
      headers: { authorization: 'Basic bWU6cEBzcyB3w7ZyZA==' },
    })
  })

  it.each([
    [{ value: 'k' }, { authorization: 'Bearer k' }],
    [{ value: 'k', scheme: 'Token' }, { authorization: 'Token k' }],
    [{ value: 'k', header: 'X-API-Key' }, { 'X-API-Key': 'k' }],
    [{ value: 'k', header: 'Authorization', scheme: '' }, { Authorization: 'k' }],
  ])('has the key %j as %j', (auth, headers) => {
    expect(toAddress({ baseUrl: 'http://c', auth }).headers).toEqual(headers)
  })

  it.each([
    [{ baseUrl: 'http://gpu:8188' }, 'ws://gpu:8188/api/ws?clientId=a%26b'],
    [{ baseUrl: 'https://u:p@x/comfy/' }, 'wss://x/comfy/api/ws?clientId=a%26b'],
    [
      { baseUrl: 'https://x', webSocketUrl: 'wss://y/ws', webSocketToken: 't' },
      'wss://y/ws?clientId=a%26b&token=t',
    ],
  ])('of %j for a WebSocket is %s', (options, url) => {
    expect(toWebSocketUrl(options, 'a&b')).toBe(url)
  })
})

describe('a server that wants a key', () => {
  it('lets in whoever has it, and names the others unauthorized', async () => {
    const auth = { header: 'X-Api-Key', value: 'secret' }
    const simulator = await startSimulator({ port: 0, faults: { auth } })
    const baseUrl = simulator.url
    await expect(createComfyClient({ baseUrl, fetch }).version()).rejects.toMatchObject({
      kind: 'unauthorized',
      message: expect.stringMatching(/refused access: .*comfyui_auth/) as string,
    })
    expect(await createComfyClient({ baseUrl, fetch, auth }).version()).toBe('0.33.0')
    const open = (webSocketToken?: string) =>
      new Promise((resolve) => {
        const socket = new WebSocket(toWebSocketUrl({ baseUrl, webSocketToken }, 'c'))
        socket.once('open', () => resolve('open'))
        socket.once('error', ({ message }) => resolve(message))
      })
    expect(await open()).toContain('401')
    expect(await open('secret')).toBe('open')
    await simulator.close()
  })
})

describe('headers', () => {
  const servers: Server[] = []
  afterEach(() => servers.splice(0).forEach((server) => server.close()))
  async function record(
    status: number,
    headers: Record<string, string> = {},
  ): Promise<{ url: string; seen: IncomingHttpHeaders[] }> {
    const seen: IncomingHttpHeaders[] = []
    const server = createServer((request, response) => {
      seen.push({ ...request.headers, url: request.url })
      response.writeHead(status, headers).end('bytes')
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
  }
  const file = { filename: 'a b.png', subfolder: 'x', type: 'output' }

  it('of a browser are not passed on, wherever they come from', async () => {
    const { url, seen } = await record(200)
    const browser = {
      Origin: 'http://evil.example',
      'Sec-Fetch-Site': 'cross-site',
      'sec-fetch-dest': 'image',
      Cookie: 'a=b',
      Host: 'evil.example',
    }
    const client = createComfyClient({ baseUrl: url, fetch, headers: browser })
    await client.view(file, { ...browser, range: 'bytes=0-1' })
    expect(seen[0]).toMatchObject({ range: 'bytes=0-1', host: new URL(url).host })
    for (const name of ['origin', 'sec-fetch-site', 'sec-fetch-dest', 'cookie']) {
      expect(seen[0]).not.toHaveProperty(name)
    }
  })

  it('with our key stay here when a file lies in a store elsewhere', async () => {
    const store = await record(206, { 'content-range': 'bytes 0-4/9' })
    const cloud = await record(302, { location: `${store.url}/signed?expires=1` })
    const auth = { header: 'X-API-Key', value: 'secret' }
    const options = { baseUrl: cloud.url, fetch, auth, headers: { 'x-other': 'secret' } }
    const answer = await createComfyClient(options).view(file, { range: 'bytes=0-4' })
    expect([answer.status, await answer.text()]).toEqual([206, 'bytes'])
    expect(cloud.seen).toMatchObject([
      {
        url: '/api/view?filename=a+b.png&subfolder=x&type=output',
        'x-api-key': 'secret',
        'x-other': 'secret',
      },
    ])
    expect(store.seen).toMatchObject([{ url: '/signed?expires=1', range: 'bytes=0-4' }])
    expect(JSON.stringify(store.seen)).not.toContain('secret')
  })

  it('do not lead in circles, nor to what is no web server', async () => {
    const circle = await record(302, { location: '/api/view' })
    const view = (baseUrl: string) => createComfyClient({ baseUrl, fetch }).view(file)
    expect((await view(circle.url)).status).toBe(302)
    expect(circle.seen).toHaveLength(4)
    const elsewhere = await record(302, { location: 'file:///etc/passwd' })
    expect((await view(elsewhere.url)).status).toBe(302)
  })

  it.each([
    'http://comfyui.spin.internal/',
    'https://workflows.spin.internal./outputs/a.png',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost:3000/jobs/x',
    '//echo.spin.internal/',
    null,
  ])('lead to no server that only this machine reaches: %s', async (location) => {
    const seen: string[] = []
    const client = createComfyClient({
      baseUrl: 'http://comfyui:8188',
      fetch: async (input) => {
        seen.push(input)
        const headers: Record<string, string> = location === null ? {} : { location }
        return seen.length === 1
          ? new Response(null, { status: 302, headers })
          : new Response('secret')
      },
    })
    expect((await client.view(file)).status).toBe(302)
    expect(seen).toHaveLength(1)
  })
})
