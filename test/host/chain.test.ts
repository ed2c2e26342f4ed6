import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arrivals } from '../support/arrivals.ts'
import { type Fixture, startFixture } from './fixture.ts'

let host: Fixture
let network: Server
let networkUrl: string
const seen: { method: string | undefined; headers: string[]; body: string }[] = []

beforeAll(async () => {
  network = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (text: string) => (body += text))
    request.on('end', () => {
      seen.push({ method: request.method, headers: request.rawHeaders, body })
      if (request.url === '/redirect') response.writeHead(302, { location: '/else' }).end()
      else if (request.url === '/cut') {
        response.writeHead(200, { 'content-length': '100' })
        response.write('begun')
        setTimeout(() => response.destroy(), 30)
      } else response.writeHead(200, { 'x-server': 'real' }).end(`got ${body}`)
    })
  })
  await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve))
  networkUrl = `http://127.0.0.1:${(network.address() as AddressInfo).port}`
  host = await startFixture({ variables: { network: networkUrl } })
})
afterAll(async () => {
  await host.close()
  network.close()
})

const call = (to: string, init?: RequestInit) =>
  fetch(`${host.url}/call?to=${encodeURIComponent(to)}`, init)

test('a component calls a private one, which sees the request as Spin describes it', async () => {
  const response = await call('http://back.spin.internal/deep/path?q=1', {
    method: 'POST',
    body: 'ping',
  })
  expect(response.status).toBe(200)
  const answer = (await response.json()) as Record<string, unknown>
  expect(answer).toMatchObject({
    method: 'POST',
    url: 'http://back.spin.internal/deep/path?q=1',
    body: 'ping',
  })
  // The probe forwards its own headers, which precede those of the host.
  const last = (answer['headers'] as [string, string][]).map(([name, value]) => [
    name,
    value.split(', ').at(-1),
  ])
  expect(Object.fromEntries(last)).toMatchObject({
    'spin-path-info': '/deep/path',
    'spin-full-url': 'http://localhost/deep/path?q=1',
    'spin-matched-route': '/...',
    'spin-component-route': '',
    'spin-client-addr': '0.0.0.0:0',
  })
})

test('a chunk passes the chain when it is written', async () => {
  const { text, isBeforeNext } = await arrivals(await call('http://back.spin.internal/drip'))
  expect(text).toMatch(/^drip 0 \d+\ndrip 1 \d+\ndrip 2 \d+\n$/)
  expect(isBeforeNext).toContain(true)
})

test('unicode bodies stay whole on the chain, four at a time', async () => {
  let seed = 7
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const text = () =>
    String.fromCodePoint(
      ...Array.from({ length: 1 + Math.floor(random() ** 4 * 20_000) }, () =>
        random() < 0.1 ? 0x1f600 + Math.floor(random() * 60) : 32 + Math.floor(random() * 900),
      ),
    )
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let i = 0; i < 50; i++) {
        const body = text()
        const response = await call('http://back.spin.internal/echo', { method: 'POST', body })
        expect(response.headers.get('x-back')).toBe('yes')
        expect(await response.text()).toBe(body)
      }
    }),
  )
})

test('a component that fails is a 500 for its caller', async () => {
  const response = await call('http://back.spin.internal/throw')
  expect(response.status).toBe(500)
})

test('components that call each other in a circle are stopped', async () => {
  const response = await call('http://back.spin.internal/loop?depth=1')
  expect(Number(await response.text())).toBe(16)
})

test.each([
  ['a host that is not allowed', 'http://example.com/'],
  ['a port that is not allowed', 'http://127.0.0.1:1/'],
  ['https where http is allowed', 'https://back.spin.internal/'],
  ['a component that does not exist', 'http://nobody.spin.internal/'],
])('%s makes fetch reject, and the caller lives on', async (_, to) => {
  const response = await call(to)
  expect(response.status).toBe(502)
  expect(await response.text()).toContain('refused')
})

test('the operator learns which host was refused', () => {
  expect(host.errors).toContainEqual({
    component: 'probe',
    message: expect.stringContaining(
      'add "http://example.com" to its allowed_outbound_hosts',
    ) as string,
  })
})

test('a request to the network carries what the component sent and nothing else', async () => {
  seen.length = 0
  const response = await call(`${networkUrl}/x`, {
    method: 'POST',
    body: 'out there',
    headers: { 'x-mine': '1' },
  })
  expect(response.headers.get('x-server')).toBe('real')
  expect(await response.text()).toBe('got out there')
  const [request] = seen
  expect(request).toMatchObject({ method: 'POST', body: 'out there' })
  const names = request?.headers.filter((_, index) => index % 2 === 0).map((n) => n.toLowerCase())
  expect(names?.filter((name) => name === 'host')).toHaveLength(1)
  expect(names).toContain('x-mine')
})

test('a GET to the network has no body', async () => {
  seen.length = 0
  await (await call(`${networkUrl}/x`)).text()
  const names = seen[0]?.headers.map((name) => name.toLowerCase())
  expect(names).not.toContain('transfer-encoding')
  expect(seen[0]?.body).toBe('')
})

test('redirects are not followed', async () => {
  const response = await fetch(
    `${host.url}/call?to=${encodeURIComponent(`${networkUrl}/redirect`)}`,
    { redirect: 'manual' },
  )
  expect(response.status).toBe(302)
})

test('an answer that is cut off is not taken for a whole one', async () => {
  await expect(async () => (await call(`${networkUrl}/cut`)).text()).rejects.toThrow()
})

test('self is the application itself, through its public routes', async () => {
  const response = await call('http://self.alt/variable?name=greeting')
  expect(await response.text()).toBe('hello, secret')
})
