/** The API that `shop.yaml` describes. It says what it received. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const KEY = 'key-0123456789'

export interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export interface Shop {
  url: string
  /** The requests so far. */
  received: Received[]
  close(): Promise<void>
}

/** A PNG of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)

export async function startShop(): Promise<Shop> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, url, headers, body: Buffer.concat(pieces).toString() }
      received.push(one)
      answer(one, response)
    })
  })
  const elsewhere = await listen(server)
  return {
    url: elsewhere,
    received,
    close: () => new Promise((done) => server.close(() => done())),
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function answer({ method, url, headers, body }: Received, response: ServerResponse): void {
  const send = (status: number, type: string, content: string | Buffer, more = {}) => {
    response.writeHead(status, { 'content-type': type, ...more }).end(content)
  }
  const json = (value: unknown, more = {}) =>
    send(200, 'application/json', JSON.stringify(value), more)
  const [path = ''] = url.split('?')
  switch (`${method} ${path}`) {
    case 'GET /v1/items': {
      const item = (index: number) => ({ id: index, name: `item ${index}`, text: 'x'.repeat(1000) })
      const data = Array.from({ length: 100 }, (_, index) => item(index))
      return json({ data, total: 100 }, { link: '</v1/items?page=2&secret=1>; rel="next"' })
    }
    case 'GET /v1/items/big': {
      return json(Array.from({ length: 5 }, () => 'y'.repeat(20_000)))
    }
    case 'GET /v1/items/huge': {
      return json(Array.from({ length: 9 }, () => 'z'.repeat(1_000_000)))
    }
    case 'DELETE /v1/items/1':
      return void response.writeHead(204).end()
    case 'GET /v1/items/1/picture':
      return send(200, 'image/png', PICTURE)
    case 'GET /v1/manual':
      return send(200, 'application/pdf', '%PDF-1.7')
    case 'GET /v1/secret-echo': {
      const message = `no good: ${String(headers['x-shop-key'])} ${'z'.repeat(5000)}`
      return send(400, 'application/json', JSON.stringify({ message }))
    }
    case 'GET /v1/moved':
      return send(302, 'text/plain', '', { location: '/v1/items/7' })
    case 'GET /v1/elsewhere':
      return send(302, 'text/plain', '', { location: `http://localhost:1/file?key=${KEY}` })
    case 'GET /v1/items/none':
      return send(404, 'application/json', '{"error":"there is no such item"}')
    default:
      if (headers['x-shop-key'] !== KEY && path.startsWith('/v1/items')) {
        return send(401, 'application/json', '{"error":"who are you?"}')
      }
      return json({ method, url, body })
  }
}
