// Clients and pages that attack the bridge, on a real workerd.
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { startBridge, type Bridge } from 'ftl-bridge/local'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GatewayStandIn, listen } from '../../bridge/src/testing/gateway-stand-in.ts'
import { descendants } from '../support/processes.ts'
import { attack } from './support/attack.ts'
import { RawClient } from './support/raw-client.ts'

const MEGABYTE = 1024 * 1024
let gateway: GatewayStandIn
let bridge: Bridge
let port: number

beforeAll(async () => {
  gateway = await GatewayStandIn.start()
  bridge = await startBridge({
    gatewayUrl: gateway.url,
    port: 0,
    allowedHosts: ['bridge.example'],
    allowedOrigins: ['https://app.example'],
  })
  port = Number(new URL(bridge.url).port)
})
afterAll(async () => {
  await bridge.close()
  await gateway.close()
})

/** The head of a handshake; `more` are further header lines. */
function handshake(client: RawClient, path: string, host: string, ...more: string[]): RawClient {
  return client.send(
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...more,
    '',
    '',
  )
}

async function handshakeStatus(host: string, ...more: string[]): Promise<number> {
  const client = new RawClient(port)
  const status = await handshake(
    client,
    `/ws/stream/${gateway.working().id}`,
    host,
    ...more,
  ).status()
  client.destroy()
  return status
}

/** Resident bytes of the workerd that this process has started. */
async function memory(): Promise<number> {
  const workerd = (await descendants(process.pid)).find(({ name }) => name === 'workerd')
  const status = await readFile(`/proc/${workerd?.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}

attack('a page points its own name at the bridge (DNS rebinding)', async () => {
  gateway.healthy()
  expect(await handshakeStatus('evil.example')).toBe(403)
  // miniflare takes the address of the request from this header.
  expect(await handshakeStatus('evil.example', 'MF-Original-URL: http://localhost/health')).toBe(
    403,
  )
  // Nothing was asked for a request that was refused.
  expect(gateway.looks).toEqual([])
  return '403 by Host, before any stream or request to the gateway'
})

attack('a page of another origin opens a stream or reads a file', async () => {
  gateway.healthy()
  for (const origin of ['https://evil.example', 'http://localhost.evil.example']) {
    expect(await handshakeStatus('localhost', `Origin: ${origin}`), origin).toBe(403)
  }
  const file = `${bridge.url}/outputs/${crypto.randomUUID()}.png`
  // A sandboxed frame, whose origin is `null`, may open a stream whose secret id it knows, and read no file.
  for (const origin of ['https://evil.example', 'null']) {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const response = await fetch(file, { method, headers: { origin } })
      expect(response.status, `${origin} ${method}`).toBe(403)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  }
  expect(gateway.looks).toEqual([])
  return '403 by Origin, before any stream or request to the gateway'
})

test('pages of this machine, of bridge, gateway and the lists may listen', async () => {
  const { port: gatewayPort } = gateway
  for (const [host, origin] of [
    ['localhost', 'http://localhost:5173'],
    ['bridge.example', 'https://app.example'],
    ['bridge.example', 'https://bridge.example'],
    // The page is served by the gateway, at another port of the same machine.
    ['192.168.1.5:8001', `http://192.168.1.5:${gatewayPort}`],
    ['bridge.example', undefined],
  ] as const) {
    const more = origin === undefined ? [] : [`Origin: ${origin}`]
    expect(await handshakeStatus(host, ...more), `${host} ${origin}`).toBe(101)
  }
})

/** Opens a socket for an id that does not exist, and neither reads to the end nor closes. */
function openUnknown(): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.once('data', () => resolve(socket.pause()))
    socket.once('close', () => resolve(socket))
    socket.write(
      `GET /ws/stream/${crypto.randomUUID()} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n` +
        'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
  })
}

attack(
  '2,000 sockets of made-up ids, never closed by the client',
  async () => {
    gateway.healthy()
    const before = await memory()
    const sockets: Socket[] = []
    for (let batch = 0; batch < 40; batch++) {
      sockets.push(...(await Promise.all(Array.from({ length: 50 }, openUnknown))))
    }
    const grown = (await memory()) - before
    // Today's client must not be the one who pays.
    const job = gateway.working()
    gateway.complete(job)
    const { ended, messages } = listen(bridge.url, job.id)
    await ended
    expect(messages).toHaveLength(2)
    for (const socket of sockets) socket.destroy()
    // About 315 KB for each before, which is 630 MB.
    expect(grown).toBeLessThan(200 * MEGABYTE)
    expect(gateway.looks.length).toBeLessThanOrEqual(2010)
    return `no stream is made: ${Math.round(grown / MEGABYTE)} MB in all; after 16 the handshake is refused (404)`
  },
  300_000,
)

/** The header of a frame from a client, for as many bytes of binary data. */
function frameOf(length: number): Buffer {
  const header = Buffer.alloc(14)
  header.writeUInt16BE(0x82ff)
  header.writeBigUInt64BE(BigInt(length), 2)
  return header
}

/** Sends all but the last byte of the largest message that workerd takes. */
function sendUnfinished(socket: Socket): Promise<void> {
  const most = 32 * MEGABYTE
  socket.write(frameOf(most))
  return new Promise((resolve) => {
    socket.write(Buffer.alloc(most - 1), () => resolve())
    socket.once('close', () => resolve())
  })
}

attack('sockets of made-up ids stay open to send huge messages', async () => {
  gateway.healthy()
  const upgraded = await Promise.all(
    Array.from({ length: 64 }, async () => {
      const client = new RawClient(port)
      const path = `/ws/stream/${crypto.randomUUID()}`
      const status = await handshake(client, path, 'localhost').status()
      return { client, isOpen: status === 101 }
    }),
  )
  const open = upgraded.filter(({ isOpen }) => isOpen).length
  for (const { client } of upgraded) client.destroy()
  expect(open).toBeLessThanOrEqual(16)
  return 'after 16 the handshake is refused (404)'
})

attack(
  'sockets of a known stream send messages that never end',
  async () => {
    const statuses: string[] = []
    const logged: string[] = []
    const own = await startBridge({
      gatewayUrl: gateway.url,
      port: 0,
      maxMemoryBytes: 400 * MEGABYTE,
      onStatus: (status) => void statuses.push(status),
      onLog: (text) => void logged.push(text),
    })
    const sockets: Socket[] = []
    try {
      gateway.healthy()
      const { id } = gateway.working()
      for (let each = 0; each < 20; each++) {
        const socket = connect(Number(new URL(own.url).port), '127.0.0.1')
        socket.on('error', () => {})
        sockets.push(socket)
        socket.write(
          `GET /ws/stream/${id} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n` +
            'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' +
            'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
        )
        await new Promise((resolve) => socket.once('data', resolve).once('close', resolve))
        void sendUnfinished(socket)
      }
      await expect.poll(() => statuses, { timeout: 90_000 }).toEqual(['ended', 'running'])
      expect(logged.join('\n')).toContain('took more than 400 MB')
      const job = gateway.working()
      gateway.complete(job)
      const { ended, messages } = listen(own.url, job.id)
      await ended
      expect(messages).toHaveLength(2)
    } finally {
      for (const socket of sockets) socket.destroy()
      await own.close()
    }
    return 'the bridge is started again before it takes the memory of the machine'
  },
  120_000,
)
