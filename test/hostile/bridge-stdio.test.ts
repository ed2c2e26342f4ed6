// Pages and programs that attack `ftl bridge-stdio`, over real sockets.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpFront, openFront } from '../../cli/src/bridge-stdio/http-front.ts'
import { ftl } from '../support/command.ts'
import { attack } from './support/attack.ts'
import { RawClient } from './support/raw-client.ts'

let front: HttpFront
let port: number
let handled = 0
beforeAll(async () => {
  const handler = async (request: Request) => {
    handled++
    return new Response(String((await request.arrayBuffer()).byteLength))
  }
  front = await openFront(handler, { listen: '127.0.0.1:0' })
  port = Number(new URL(front.url).port)
})
afterAll(() => front.close())

/** The head of a request with a body of 60 MiB, of which nothing follows. */
async function announced(...headers: string[]): Promise<RawClient> {
  const client = new RawClient(port)
  const length = `Content-Length: ${60 * 1024 * 1024}`
  return client.send('POST /mcp HTTP/1.1', ...headers, length, '', '')
}

attack('pages make bridge-stdio hold bodies of 60 MiB that it will refuse', async () => {
  for (const headers of [
    ['Host: evil.example'],
    [`Host: localhost:${port}`, 'Origin: https://evil.example'],
    [`Host: localhost:${port}`, 'Origin: null'],
  ]) {
    const client = await announced(...headers)
    expect(await client.status(), headers.join()).toBe(403)
    await client.end()
  }
  expect(handled).toBe(0)
  return '403 by Host or Origin before the body is read, and the connection ends'
})

test('a client on this machine is answered, with its whole body', async () => {
  const response = await fetch(front.url, { method: 'POST', body: 'x'.repeat(100_000) })
  expect(await response.text()).toBe('100000')
  expect(handled).toBe(1)
})

attack('a page uses bridge-stdio by DNS rebinding, where it listens on all addresses', async () => {
  const all = await openFront(async () => new Response('served'), { listen: '0.0.0.0:0' })
  const at = Number(new URL(all.url).port)
  const statusAt = async (...headers: string[]) => {
    const client = new RawClient(at)
    const status = await client.send('GET /mcp HTTP/1.1', ...headers, '', '').status()
    client.destroy()
    return status
  }
  try {
    for (const host of ['evil.example', '127.0.0.1.nip.io', '[::1].evil', '0x7f.1.evil.example']) {
      expect(await statusAt(`Host: ${host}`), host).toBeGreaterThanOrEqual(400)
    }
    expect(await statusAt(`Host: 192.0.2.1:${at}`, 'Origin: http://192.0.2.1')).toBe(403)
    for (const host of [`127.0.0.1:${at}`, `192.0.2.1:${at}`, `[2001:db8::1]:${at}`]) {
      expect(await statusAt(`Host: ${host}`), host).toBe(200)
    }
  } finally {
    await all.close()
  }
  return '403 for names; addresses of the machine are served'
})

test('a person who serves every machine is told that all of them can call every tool', async () => {
  const server = fileURLToPath(new URL('./support/escaping-server.ts', import.meta.url))
  const run = ['--', process.execPath, server]
  const command = ftl(['bridge-stdio', '--listen', '0.0.0.0:0', ...run])
  await command.printed('Serving')
  command.signal('SIGINT')
  await command.exited
  expect(command.output()).toContain('WARNING: every client that reaches 0.0.0.0:0')
})

attack('a request to bridge-stdio has a head that is no request', async () => {
  for (const head of [
    ['GET http://[ HTTP/1.1', 'Host: localhost'],
    ['GET /mcp HTTP/1.1', 'Host: local host'],
    ['TRACE /mcp HTTP/1.1', 'Host: localhost'],
  ]) {
    const client = new RawClient(port)
    const status = await client.send(...head, '', '').status()
    expect([400, 403, 404], head.join()).toContain(status)
    client.destroy()
  }
  expect((await fetch(front.url, { method: 'POST', body: 'x' })).status).toBe(200)
  return '400 or 403, and the bridge goes on'
})
