import http, { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Connections } from './connections.ts'

let first: Server
let second: Server
let held = 0
beforeAll(async () => {
  first = createServer((request, response) => {
    if (request.url === '/hold') held++
    else response.end('first')
  })
  second = createServer((_, response) => response.end('second'))
  for (const server of [first, second]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }
})
afterAll(() => {
  for (const server of [first, second]) {
    server.closeAllConnections()
    server.close()
  }
})

function get(connections: Connections, server: Server, path: string): Promise<string> {
  const { port } = server.address() as AddressInfo
  const options = { host: '127.0.0.1', port, path, agent: connections.agent(false) }
  return new Promise((resolve, reject) => {
    const client = http.get(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('end', () => resolve(text))
    })
    client.on('error', reject)
  })
}

test('requests beyond the limit wait for a connection', async () => {
  const connections = new Connections(3)
  // They fail at the end, when the server is closed.
  for (let i = 0; i < 10; i++) get(connections, first, '/hold').catch(() => {})
  await expect.poll(() => held).toBe(3)
  await new Promise((wake) => setTimeout(wake, 100))
  expect(held).toBe(3)
  connections.close()
})

test('connections kept for one server do not keep a component from another', async () => {
  const connections = new Connections(2)
  const one = await Promise.all([get(connections, first, '/'), get(connections, first, '/')])
  expect(one).toEqual(['first', 'first'])
  expect(await get(connections, second, '/')).toBe('second')
  connections.close()
})
