// Traces as a collector gets them.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Host, startHost } from 'ftl-host'
import { MANIFESTS } from '../support/manifests.ts'
import type { ReceivedSpan } from '../support/otlp-receiver.ts'
import { sleep } from './fixture.ts'
import { closing, collector, fixture, named, telemetry, useCollector } from './telemetry-fixture.ts'

useCollector()

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CLIENT_SPAN = 'b7ad6b7169203331'
const SERVER = 2
const CLIENT = 3
const ERROR = 2

async function application(): Promise<Host> {
  const host = await startHost({
    manifest: MANIFESTS.application,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: fileURLToPath(new URL('../../.ftl/cache', import.meta.url)),
    env: telemetry(),
    workers: 1,
    variables: { tool_components: 'echo' },
  })
  closing.push(() => host.close())
  return host
}

function callEcho(
  url: string,
  headers: Record<string, string> = {},
  meta: Record<string, string> = {},
): Promise<Response> {
  const params = { name: 'echo', arguments: { message: 'hello' }, _meta: meta }
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
}

/** The spans of the one request a server span belongs to, once that has come. */
async function traceOf(name: string): Promise<ReceivedSpan[]> {
  await collector.until(() => collector.spans().filter((span) => span.name === name))
  // The workers' spans and the server's are ended by different messages.
  await sleep(200)
  return collector.spans()
}

const one = (spans: ReceivedSpan[], name: string): ReceivedSpan => {
  const [first, ...more] = named(spans, name)
  if (!first || more.length > 0) throw new Error(`${named(spans, name).length} spans "${name}"`)
  return first
}

describe('the trace of a call of a tool', () => {
  test("continues the client's, through the gateway, to the component", async () => {
    const { url } = await application()
    await (await callEcho(url)).text()
    await traceOf('POST /...')
    collector.posts.length = 0
    const traceparent = `00-${TRACE}-${CLIENT_SPAN}-01`
    const response = await callEcho(url, { traceparent, tracestate: 'v=1', 'x-request-id': 'r-7' })
    expect(await response.text()).toContain('hello')
    const spans = await traceOf('POST /...')

    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]))
    const server = one(spans, 'POST /...')
    const gateway = one(spans, 'execute_wasm_component mcp-gateway')
    const send = one(spans, 'spin_outbound_http.send_request')
    const echo = one(spans, 'execute_wasm_component echo')
    expect([server, gateway, send, echo].map(({ parentSpanId }) => parentSpanId)).toEqual([
      CLIENT_SPAN,
      server.spanId,
      gateway.spanId,
      send.spanId,
    ])
    expect([server.kind, send.kind]).toEqual([SERVER, CLIENT])
    expect(server.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/...',
      'url.path': '/mcp',
      'http.response.status_code': 200,
      'http.request.header.x-request-id': ['r-7'],
    })
    expect(send.attributes).toMatchObject({
      'http.request.method': 'POST',
      'url.full': 'http://echo.spin.internal/',
      'http.response.status_code': 200,
    })
    for (const name of ['spin_key_value.open', 'spin_key_value.get', 'spin_variables.get']) {
      const used = named(spans, name)
      expect(used.length, name).toBeGreaterThan(0)
      expect(used.every(({ parentSpanId }) => parentSpanId === gateway.spanId)).toBe(true)
    }
    expect(spans.filter(({ status }) => status.code === ERROR)).toEqual([])
    expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(['ftl-mcp-gateway']))
  })

  test('has a link to the trace that a client names in the message itself', async () => {
    const { url } = await application()
    await (await callEcho(url, {}, { traceparent: `00-${TRACE}-${CLIENT_SPAN}-01` })).text()
    const spans = await traceOf('POST /...')
    const sent = spans.filter(
      ({ attributes }) => attributes['url.full'] && attributes['http.request.method'] === 'POST',
    )
    expect(sent.map(({ links }) => links)).toMatchObject([
      [{ traceId: TRACE, spanId: CLIENT_SPAN }],
    ])
    expect(sent[0]?.traceId).not.toBe(TRACE)
  })

  test('has the times when it happened, each span within its parent', async () => {
    const before = BigInt(Date.now()) * 1_000_000n
    const { url } = await application()
    await (await callEcho(url)).text()
    const spans = await traceOf('POST /...')
    const after = BigInt(Date.now() + 1) * 1_000_000n
    for (const span of spans) {
      expect(span.start >= before && span.end <= after && span.start <= span.end).toBe(true)
      const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
      if (parent)
        expect(span.start, `${span.name} in ${parent.name}`).toBeGreaterThanOrEqual(parent.start)
      // The server's ends with the response, and what components do after it is not cut off.
      if (parent && parent.kind !== SERVER && parent.kind !== CLIENT) {
        expect(span.end, `${span.name} in ${parent.name}`).toBeLessThanOrEqual(parent.end)
      }
    }
  })
})

describe('what goes out', () => {
  let network: Server
  let seen: NodeJS.Dict<string | string[]>[]
  let address: string
  beforeEach(async () => {
    seen = []
    network = createServer((request, response) => {
      seen.push(request.headers)
      response.writeHead(503).end()
    })
    await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(network.address() as AddressInfo).port}`
    closing.push(() => new Promise((resolve) => void network.close(() => resolve())))
  })

  test('to the network names its span, with the state the client sent, and of failure', async () => {
    const host = await fixture({ variables: { network: address } })
    const to = encodeURIComponent(`${address}/path?secret=1`)
    await host.text(`/call?to=${to}`, {
      headers: { traceparent: `00-${TRACE}-${CLIENT_SPAN}-01`, tracestate: 'v=1' },
    })
    const spans = await traceOf('GET /...')
    const send = one(spans, 'spin_outbound_http.send_request')
    expect(seen[0]).toMatchObject({
      traceparent: `00-${TRACE}-${send.spanId}-01`,
      tracestate: 'v=1',
    })
    expect(send.status.code).toBe(ERROR)
    expect(send.links).toEqual([])
    expect(send.attributes).toMatchObject({
      'url.full': `${address}/path`,
      'http.response.status_code': 503,
    })
    expect(JSON.stringify(collector.posts.map(({ body }) => body.toString()))).not.toContain(
      'secret',
    )
  })

  test('is left as the component wrote it while tracing is off', async () => {
    const host = await fixture({ env: {}, variables: { network: address } })
    const to = encodeURIComponent(address)
    await host.text(`/call?to=${to}`)
    const traceparent = `00-${TRACE}-${CLIENT_SPAN}-01`
    await host.text(`/call?to=${to}`, { headers: { traceparent } })
    expect(seen.map((headers) => headers['traceparent'])).toEqual([undefined, traceparent])
    await sleep(300)
    expect(collector.posts).toEqual([])
  })

  test('is not sampled when the client says so, and nothing is sent', async () => {
    const host = await fixture({
      variables: { network: address },
      env: telemetry({ OTEL_METRICS_EXPORTER: 'none' }),
    })
    await host.text(`/call?to=${encodeURIComponent(address)}`, {
      headers: { traceparent: `00-${TRACE}-${CLIENT_SPAN}-00` },
    })
    expect(seen[0]?.['traceparent']).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`))
    await sleep(300)
    expect(collector.posts).toEqual([])
  })
})

test('a guest that throws is an error of its span and of the request', async () => {
  const host = await fixture()
  await host.text('/throw')
  const spans = await traceOf('GET /...')
  expect(one(spans, 'GET /...').status.code).toBe(ERROR)
  expect(one(spans, 'execute_wasm_component probe').status).toEqual({
    code: ERROR,
    message: 'answered 500',
  })
  expect(one(spans, 'GET /...').attributes['http.response.status_code']).toBe(500)
})

test('a request without a route has a span without components', async () => {
  const host = await fixture()
  expect(await host.text('/static')).toBe('no component')
  const spans = await traceOf('GET /static')
  expect(spans).toHaveLength(1)
  expect(spans[0]?.attributes['http.response.status_code']).toBe(418)
})

test('a request that was sent again has the spans of the run that counted, and says so', async () => {
  const host = await fixture({ maxBlockingMs: 600 })
  const waiting = host.text('/wait?ms=900')
  await sleep(100)
  await host.text('/spin')
  expect(await waiting).toBe('waited')
  await traceOf('GET /...')
  await collector.until(() => named(collector.spans(), 'GET /...').slice(1))
  const requests = named(collector.spans(), 'GET /...')
  const wait = requests.find(({ attributes }) => attributes['url.path'] === '/wait')
  expect(wait?.attributes).toMatchObject({
    'ftl.lost_workers': 1,
    'http.response.status_code': 200,
  })
  expect(wait?.status.code).toBe(0)
  const below = collector.spans().filter(({ parentSpanId }) => parentSpanId === wait?.spanId)
  expect(below.map(({ name }) => name)).toEqual(['execute_wasm_component probe'])
  const spin = requests.find(({ attributes }) => attributes['url.path'] === '/spin')
  expect(spin?.status).toMatchObject({
    code: ERROR,
    message: expect.stringMatching(
      /^the worker of the request was lost: a guest kept its thread/,
    ) as string,
  })
})
