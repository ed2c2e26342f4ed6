// Tools of real servers, through the real component: the official ones of both eras, and a gateway of our own.
import { Client } from 'ftl-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectV1, connectV2 } from '../contract/clients/sdk-clients.ts'
import { LOG, WORKING_TOOL } from '../differential/offers.ts'
import { officialHandler } from '../differential/official-server.ts'
import { startApplication, type TestApplication } from '../support/application.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'
import { type Everything, serveFetch, startEverything, type WebServer } from './servers.ts'

describe.skipIf(CANNOT_RUN)('real servers', () => {
  let everything: Everything
  let official: WebServer
  let gateway: TestApplication
  let application: RemoteApplication
  /** Of each request the official server got. */
  const seen: { headers: Headers; message: Record<string, unknown> }[] = []

  beforeAll(async () => {
    everything = await startEverything()
    const handler = officialHandler()
    official = await serveFetch(async (request) => {
      const message = (await request.clone().json()) as Record<string, unknown>
      seen.push({ headers: request.headers, message })
      return handler(request)
    })
    gateway = await startApplication({ manifest: MANIFESTS.application })
    application = await startRemote([
      { name: 'everything', url: everything.url, denied: ['get-env'], ttlMs: 1000 },
      { name: 'official', url: official.url, prefix: 'o_', headers: { authorization: SECRET } },
      { name: 'gateway', url: `${gateway.url}/mcp` },
    ])
  })
  afterAll(async () => {
    await application?.close()
    await gateway?.close()
    await official?.close()
    await everything?.close()
  })

  it('their tools are listed as ours, but for what is denied', async () => {
    const names = await application.names()
    expect(names).toEqual(expect.arrayContaining(['get-sum', 'o_add', 'calculator']))
    expect(names).not.toContain('get-env')
    // Of two servers that have the tool, the first keeps the name.
    expect(names).toEqual(expect.arrayContaining(['echo', 'gateway__echo']))
    const refused = await application.call('get-env')
    expect(refused.error?.message).toBe('Tool not found')
  })

  it('a server of 2025-11-25 with a session is called', async () => {
    const { result } = await application.call('get-sum', { a: 2, b: 3 })
    expect(JSON.stringify(result)).toContain('5')
    const { result: picture } = await application.call('get-tiny-image')
    expect(picture?.['content']).toContainEqual(
      expect.objectContaining({ type: 'image', mimeType: 'image/png' }),
    )
  })

  it('structured content arrives, and fits the schema that is listed', async () => {
    const tool = (await application.tools()).find(({ name }) => name === 'get-structured-content')
    expect(tool?.outputSchema).toBeDefined()
    const { result } = await application.call('get-structured-content', { location: 'New York' })
    expect(Object.keys(result?.['structuredContent'] as object)).toEqual(
      expect.arrayContaining(Object.keys(tool?.outputSchema?.['properties'] as object)),
    )
  })

  it('a server whose sessions are gone is given a new one by the same call', async () => {
    await everything.restart()
    const { result } = await application.call('get-sum', { a: 20, b: 3 })
    expect(JSON.stringify(result)).toContain('23')
  })

  it('a server of 2026-07-28 receives requests in that revision, without a session', async () => {
    seen.length = 0
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const client = await Client.connect({ url: `${application.url}/mcp` })
    await client.initialize()
    await client.close()
    await fetch(`${application.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'o_region', arguments: { region: 'süd' } },
      }),
    })
    const call = seen.find(({ message }) => message['method'] === 'tools/call')
    expect(call?.headers.get('mcp-protocol-version')).toBe('2026-07-28')
    expect(call?.headers.get('mcp-name')).toBe('region')
    expect(call?.headers.get('mcp-param-region')).toBe('=?base64?c8O8ZA==?=')
    expect(call?.headers.get('mcp-session-id')).toBeNull()
    expect(call?.headers.get('authorization')).toBe(SECRET)
    const { _meta } = call?.message['params'] as { _meta: Record<string, string> }
    expect(_meta['traceparent']?.slice(0, 35)).toBe(traceparent.slice(0, 35))
  })

  it('a tool’s failure is a result', async () => {
    const { result } = await application.call('calculator', { expression: '1/' })
    expect(result).toMatchObject({ isError: true })
  })

  it('progress is passed on as it comes, in both eras', async () => {
    for (const protocol of ['legacy', '2026-07-28'] as const) {
      const client = await Client.connect({ url: `${application.url}/mcp`, protocol })
      await client.initialize()
      const told: unknown[] = []
      const args = { duration: 1, steps: 4 }
      const result = await client.callTool('trigger-long-running-operation', args, {
        onProgress: (each) => told.push(each),
      })
      await client.close()
      expect(JSON.stringify(result.content)).toContain('completed')
      expect(told.length).toBeGreaterThanOrEqual(3)
    }
  })

  it.each([
    ['version 1 of the SDK', connectV1],
    ['version 2 of the SDK', connectV2()],
    ['version 2 of the SDK in 2026-07-28', connectV2('auto')],
  ])('a line of the log of a server reaches the client of %s', async (_, connect) => {
    const { client, call } = await connect(`${application.url}/mcp`)
    const logged: unknown[] = []
    await call(`o_${WORKING_TOOL.name}`, {}, { onlog: (data) => logged.push(data) })
    await client.close()
    expect(logged).toEqual([LOG.data])
  })

  it('a question of the server reaches the client, and its answer the server', async () => {
    const client = await Client.connect(
      { url: `${application.url}/mcp`, protocol: '2026-07-28' },
      { answers: { elicitation: () => ({ action: 'accept', content: { name: 'Ada' } }) } },
    )
    await client.initialize()
    const { content } = await client.callTool('o_asks')
    await client.close()
    expect(JSON.stringify(content)).toContain('Ada')
  })

  it('all at once', async () => {
    const sums = await Promise.all(
      Array.from({ length: 12 }, async (_, a) => {
        const { result } = await application.call('get-sum', { a, b: 100 })
        return JSON.stringify(result)
      }),
    )
    for (const [a, sum] of sums.entries()) expect(sum).toContain(String(a + 100))
  })

  it('a server that is down keeps its tools, and the operator sees it', async () => {
    await everything.stop()
    await expect
      .poll(() => application.problems(), { timeout: 8000, interval: 500 })
      .toContainEqual(
        expect.stringMatching(
          /^server "everything": cannot be reached.*its list of 20.* is shown$/,
        ),
      )
    expect(await application.names()).toContain('get-sum')
    const { result } = await application.call('get-sum', { a: 1, b: 1 })
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result)).toContain('The server \\"everything\\" cannot be reached.')
    expect((await application.call('o_echo', { message: 'x' })).result?.['isError']).toBeUndefined()
  })
})

const SECRET = 'Bearer abcdefghijklmnop'
