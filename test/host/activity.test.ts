// What `GET /activity` shows, over the real gateway and its tools; its numbers are those of OTLP.
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { type Host, startHost } from 'ftl-host'
import { MANIFESTS } from '../support/manifests.ts'
import type { ReceivedSpan } from '../support/otlp-receiver.ts'
import { closing, collector, named, telemetry, useCollector } from './telemetry-fixture.ts'

useCollector()

interface Answer {
  components: {
    id: string
    state: string
    calls: number
    errors: number
    instances: number
    memory: number
  }[]
  requests: Shown[]
  next: string
}

interface Shown {
  id: string
  rpc?: string
  target?: string
  outcome: string
  status: number
  components: string[]
  calls: { tool: string; outcome: string; arguments?: unknown }[]
  watched: boolean
  counts: Record<string, number>
  spans: { id: string; parent?: string; kind: string; name: string; start: number; ms: number }[]
}

async function application(env: Record<string, string> = {}): Promise<Host> {
  const host = await startHost({
    manifest: MANIFESTS.application,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: fileURLToPath(new URL('../../.ftl/cache', import.meta.url)),
    env,
    workers: 1,
    variables: { tool_components: 'echo,calculator' },
  })
  closing.push(() => host.close())
  return host
}

async function call(url: string, name: string, args: object): Promise<string> {
  const id = randomUUID()
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': id },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    }),
  })
  await response.text()
  expect(response.headers.get('x-request-id')).toBe(id)
  return id
}

const read = async (url: string, query = '') =>
  (await (await fetch(`${url}/activity${query}`)).json()) as Answer

async function ended(url: string, id: string): Promise<Shown> {
  return vi.waitFor(
    async () => {
      const [found] = (await read(url, `?request=${id}`)).requests
      if (!found || found.outcome === 'running' || found.counts['spans'] === 0) {
        throw new Error(`the request ${id} has not ended`)
      }
      return found
    },
    { timeout: 5000, interval: 20 },
  )
}

test('a call of a tool: what it was, how it ended, and its spans down to the tool', async () => {
  const { url } = await application()
  await read(url)
  const shown = await ended(url, await call(url, 'echo', { message: 'hi', token: 'hunter2' }))
  expect(shown).toMatchObject({
    ...{ rpc: 'tools/call', target: 'echo', outcome: 'ok', status: 200, watched: true },
    calls: [{ tool: 'echo', outcome: 'ok' }],
  })
  expect(shown.components.slice(0, 2)).toEqual(['mcp-gateway', 'echo'])
  const [gateway] = shown.spans.filter(({ parent }) => parent === undefined)
  expect(gateway).toMatchObject({ kind: 'component', name: 'mcp-gateway' })
  const echo = shown.spans.findLast(({ kind, name }) => kind === 'component' && name === 'echo')
  const calling = shown.spans.find(({ id }) => id === echo?.parent)
  expect(calling).toMatchObject({ kind: 'call', parent: gateway?.id })
  expect(calling?.name).toMatch(/^POST echo\//)
  expect(echo?.start).toBeGreaterThanOrEqual(calling?.start ?? NaN)
  expect(JSON.stringify(shown)).not.toContain('hunter2')
  const wrong = await ended(url, await call(url, 'calculator', { expression: '1/' }))
  expect(wrong.outcome).toMatch(/^(tool_error|refused)$/)
})

test('without a reader requests are listed, without spans', async () => {
  const { url } = await application()
  const id = await call(url, 'echo', { message: 'hi' })
  const { requests } = await read(url, `?request=${id}`)
  expect(requests).toMatchObject([{ watched: false, outcome: 'ok', spans: [], lines: [] }])
})

test('the errors of a component are the spans that OTLP marks as failed', async () => {
  const host = await startHost({
    manifest: MANIFESTS.fixtures,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: fileURLToPath(new URL('../../.ftl/cache', import.meta.url)),
    env: telemetry(),
    workers: 1,
    variables: { tool_components: 'echo,throws' },
  })
  closing.push(() => host.close())
  await read(host.url)
  await call(host.url, 'echo', { message: 'a' })
  // The tool is never called: it fails when the gateway asks what it offers.
  await call(host.url, 'throws', {})
  const isFailed = ({ attributes, status }: ReceivedSpan) =>
    status.code === 2 || Number(attributes['http.response.status_code']) >= 500
  const sent = (component: string) =>
    named(collector.spans(), 'spin_outbound_http.send_request').filter((span) =>
      String(span.attributes['url.full']).startsWith(`http://${component}.spin.internal/`),
    )
  const ofComponent = async (id: string) =>
    (await read(host.url)).components.find((one) => one.id === id)
  await vi.waitFor(
    async () => {
      for (const id of ['echo', 'throws']) {
        const { calls, errors } = (await ofComponent(id)) ?? {}
        expect([id, sent(id).length, sent(id).filter(isFailed).length]).toEqual([id, calls, errors])
      }
    },
    { timeout: 5000, interval: 50 },
  )
  expect((await ofComponent('throws'))?.errors).toBeGreaterThan(0)
  expect(await ofComponent('echo')).toMatchObject({ errors: 0 })
})

test('the numbers are those of OTLP', async () => {
  const { url } = await application(telemetry())
  await read(url)
  const ids = [
    await call(url, 'echo', { message: 'a' }),
    await call(url, 'echo', { message: 'b' }),
    await call(url, 'calculator', { expression: '2*3' }),
  ]
  const shown = []
  for (const id of ids) shown.push(await ended(url, id))
  const { components } = await read(url)
  const points = (metric: string) => collector.points().filter((point) => point.metric === metric)
  const latest = (metric: string) =>
    Object.fromEntries(
      points(metric).map(({ attributes, value }) => [String(attributes['component_id']), value]),
    )
  await collector.until(() => {
    const counted = latest('spin.request_count')
    return components.every(({ id, calls }) => (counted[id] ?? 0) === calls) ? [true] : []
  })
  const live = latest('ftl.instances.live')
  for (const { id, instances, memory } of components) {
    expect([id, instances]).toEqual([id, live[id] ?? 0])
    // These two run beside the components, in no memory of their own.
    expect(memory > 0).toBe(instances > 0 && id !== 'mcp-gateway' && id !== 'remote')
  }
  for (const { spans } of shown) {
    await collector.until(() =>
      spans.every(({ id }) => collector.spans().some((span) => span.spanId === id)) ? [true] : [],
    )
    for (const { id, ms } of spans) {
      const sent = collector.spans().find(({ spanId }) => spanId === id)
      // Nanoseconds. OTLP has the time since 1970, whose last digits a double does not hold.
      const exported = Number((sent?.end ?? 0n) - (sent?.start ?? 0n)) / 1e6
      expect(Math.abs(exported - ms)).toBeLessThan(0.01)
    }
  }
})
