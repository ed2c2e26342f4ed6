// A server that a component may call must not be able to hold or confuse the host.
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { sender, tell, type Told } from './support/sender.ts'
import { OK, startUpstream, type Upstream } from './support/upstream.ts'

let host: RunningApplication
let upstream: Upstream
let answer: (socket: Socket, nth: number) => void
beforeAll(async () => {
  upstream = await startUpstream((socket, _, nth) => answer(socket, nth))
  const allowedHosts = [`http://127.0.0.1:${upstream.port}`]
  host = await startHostile({ sender: { wasm: await sender(), allowedHosts } }, { workers: 1 })
})
afterAll(async () => {
  await host.close()
  await upstream.close()
})

const send = (told: Omit<Told, 'to'> = {}) =>
  tell(`${host.url}/sender/`, { to: `127.0.0.1:${upstream.port}`, ...told })

const METHODS = ['CONNECT', 'connect', 'TRACE', 'Trace', 'A!', '1', 'X'.repeat(100)]
attack('a component sends CONNECT, TRACE or an odd method', async () => {
  for (const method of METHODS) {
    const { outcome } = await send({ method })
    expect(`${method} ${outcome}`).toBe(`${method} HTTP-request-method-invalid`)
  }
  expect(upstream.connections).toEqual([])
  return 'HTTP-request-method-invalid'
})

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'
const RESPONSES: [string, string, RegExp][] = [
  ['changes to another protocol', SWITCH, /^HTTP-upgrade-failed$/],
  [
    'sends interim responses without end',
    'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000),
    /^HTTP-/,
  ],
  [
    'sends a head of a megabyte',
    `HTTP/1.1 200 OK\r\na: ${'x'.repeat(1_000_000)}`,
    /^HTTP-response-header/,
  ],
  [
    'sends 100,000 headers',
    `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}`,
    /^HTTP-response-header/,
  ],
  [
    'frames its response in two ways',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    /^HTTP-protocol-error$/,
  ],
  ['does not speak HTTP', 'SSH-2.0-x\r\n\r\n', /^HTTP-protocol-error$/],
]
for (const [what, bytes, expected] of RESPONSES) {
  attack(`a server ${what}`, async () => {
    answer = (socket) => socket.write(bytes)
    const { outcome } = await send()
    expect(outcome).toMatch(expected)
    return outcome
  })
}

const EXTRA = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nEVIL'
for (const [when, delay] of [
  ['at once', 0],
  ['when the connection is unused', 50],
] as const) {
  attack(`a server sends a second response that was not asked for, ${when}`, async () => {
    answer = (socket, nth) => {
      if (delay === 0 && nth === 1) socket.write(OK + EXTRA)
      else socket.write(OK)
      if (delay > 0 && nth === 1) setTimeout(() => socket.write(EXTRA), delay)
    }
    await send()
    await new Promise((wake) => setTimeout(wake, 300))
    expect(await send()).toEqual({ outcome: 'answered 200', text: 'ok' })
    return 'the connection is closed'
  })
}

attack('a server answers before it has the body, and keeps the connection', async () => {
  answer = (socket) => socket.write(OK)
  const content = 'x'.repeat(3000)
  await send({ method: 'POST', content, headers: [['content-length', '9000']] })
  await send({ path: '/next' })
  const next = upstream.connections.find((bytes) => bytes.includes('/next')) ?? ''
  expect(next).not.toContain('xxx')
  return 'the connection is not used again'
})
