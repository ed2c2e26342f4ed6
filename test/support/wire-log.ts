import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Exchange {
  request: string
  response: string
}

export interface WireLog {
  url: string
  /** What went over the wire, as it was sent. */
  exchanges: Exchange[]
  close(): Promise<void>
}

/** Stands between a client that says little and the gateway, and changes nothing. */
export async function startWireLog(target: string): Promise<WireLog> {
  const exchanges: Exchange[] = []
  const server: Server = createServer((incoming, outgoing) => {
    void (async () => {
      const body = await buffer(incoming)
      const exchange: Exchange = { request: body.toString(), response: '' }
      exchanges.push(exchange)
      const { method, headers, url = '/' } = incoming
      const onward = request(
        new URL(url, target),
        { method, headers },
        (answer: IncomingMessage) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
          answer.on('data', (chunk: Buffer) => (exchange.response += chunk.toString()))
          answer.pipe(outgoing)
        },
      )
      onward.on('error', () => outgoing.destroy())
      outgoing.on('close', () => onward.destroy())
      onward.end(body)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
