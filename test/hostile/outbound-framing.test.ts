// What a component says of the framing of its requests must not decide where a request ends on a connection.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { sender, tell, type Told } from './support/sender.ts'
import { startUpstream, type Upstream } from './support/upstream.ts'

let host: RunningApplication
let upstream: Upstream
beforeAll(async () => {
  upstream = await startUpstream()
  const wasm = await sender()
  const allowedHosts = [`http://127.0.0.1:${upstream.port}`]
  // One worker: with two the components might not meet on a connection at all.
  host = await startHostile(
    { thief: { wasm, allowedHosts }, victim: { wasm, allowedHosts } },
    { workers: 1 },
  )
})
afterAll(async () => {
  await host.close()
  await upstream.close()
})

const send = (component: string, told: Omit<Told, 'to'>) =>
  tell(`${host.url}/${component}/`, { to: `127.0.0.1:${upstream.port}`, ...told })

/** The victim sends a token; returns everything that came on the connection that brought it. */
async function victimsConnection(): Promise<string> {
  const token = `secret-${Math.random()}`
  const { outcome } = await send('victim', { path: '/mine', headers: [['token', token]] })
  expect(outcome).toBe('answered 200')
  return upstream.connections.find((bytes) => bytes.includes(token)) ?? ''
}

test('the sender reaches the upstream', async () => {
  const sent = await send('thief', {
    path: '/x?y',
    method: 'PUT',
    content: 'abc',
    headers: [['a', 'b']],
  })
  expect(sent).toEqual({ outcome: 'answered 200', text: 'ok' })
  expect(upstream.connections[0]).toContain('PUT /x?y HTTP/1.1')
  expect(upstream.connections[0]).toContain('a: b')
})

const WITHOUT_BODY: [string, string][] = [
  ['content-length', '120'],
  ['content-length', '+3'],
  ['content-length', '3, 6'],
]
for (const header of WITHOUT_BODY) {
  attack(`a GET without a body announces "${header.join(': ')}"`, async () => {
    const { outcome } = await send('thief', { path: '/thief', headers: [header] })
    const bytes = await victimsConnection()
    expect(bytes.toLowerCase()).not.toContain('content-length')
    expect(bytes).not.toContain('/thief')
    return outcome === 'answered 200' ? 'the header is left out' : outcome
  })
}

const WITH_BODY: [string, string, [string, string][]][] = [
  ['announces fewer bytes than it sends', 'abcdef', [['content-length', '3']]],
  ['announces more bytes than it sends', 'abc', [['content-length', '120']]],
  ['announces "+3"', 'abc', [['content-length', '+3']]],
  ['announces "3, 6"', 'abc', [['content-length', '3, 6']]],
  [
    'announces two lengths',
    'abc',
    [
      ['content-length', '3'],
      ['content-length', '6'],
    ],
  ],
  ['announces bytes and sends none', '', [['content-length', '5']]],
]
for (const [what, content, headers] of WITH_BODY) {
  attack(`a POST ${what}`, async () => {
    const { outcome } = await send('thief', { method: 'POST', path: '/thief', content, headers })
    expect(await victimsConnection()).not.toContain('/thief')
    expect(outcome).toMatch(/^HTTP-/)
    return outcome
  })
}

const OWNED = [
  'connection',
  'host',
  'keep-alive',
  'proxy-connection',
  'Transfer-Encoding',
  'upgrade',
]
for (const name of OWNED) {
  attack(`a component sets ${name}`, async () => {
    const { outcome } = await send('thief', { headers: [[name, 'x']] })
    expect(outcome).toBe('header forbidden')
    return outcome
  })
}

attack('a component sets expect, te and trailer', async () => {
  const headers: [string, string][] = [
    ['expect', '100-continue'],
    ['te', 'trailers, chunked'],
    ['trailer', 'content-length'],
    ['x-mine', 'kept'],
  ]
  const { outcome } = await send('thief', { method: 'POST', path: '/te', content: 'abc', headers })
  expect(outcome).toBe('answered 200')
  const bytes = upstream.connections.join('')
  expect(bytes).toContain('x-mine: kept')
  expect(bytes).not.toMatch(/^(expect|te|trailer):/im)
  return 'the headers are left out'
})

const BREAKS: [string, Omit<Told, 'to'>][] = [
  ['a header value', { headers: [['a', 'b\\`content-length: 9']] }],
  ['a header name', { headers: [['a: b\\`c', 'd']] }],
  ['the method', { method: 'GET / HTTP/1.1\\`x:' }],
  ['the path', { path: '/ HTTP/1.1\\`x: y' }],
]
for (const [where, told] of BREAKS) {
  attack(`a line break in ${where}`, async () => {
    const { outcome } = await send('thief', told)
    expect(outcome).toMatch(/invalid|refused/)
    return outcome
  })
}

attack('a space, an absolute address or a fragment in the path', async () => {
  expect((await send('thief', { path: '/a b' })).outcome).toBe('path refused')
  await send('thief', { path: 'http://else.example/x' })
  await send('thief', { path: '/y#z' })
  const bytes = upstream.connections.join('')
  expect(bytes).toContain('GET /http://else.example/x HTTP/1.1')
  expect(bytes).toContain('GET /y HTTP/1.1')
  return 'the request line begins with a slash and has no fragment'
})

attack('two components send to one server', async () => {
  await send('thief', { path: '/thief' })
  expect(await victimsConnection()).not.toContain('/thief')
  return 'each has its own connections'
})
