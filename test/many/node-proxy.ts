/** A small proxy that sends requests to hosts in turns, and may send one twice as some proxies do after a timeout. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface NodeProxyOptions {
  /** Milliseconds after which a request that was not answered is also sent to the next host. @default never */
  repeatAfterMs?: number
}

export async function startNodeProxy(
  urls: readonly string[],
  { repeatAfterMs }: NodeProxyOptions = {},
): Promise<{ url: string; close(): Promise<void> }> {
  let turn = 0
  const next = () => urls[turn++ % urls.length] ?? ''
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await buffer(incoming)
    let isAnswered = false
    const answer = (response: IncomingMessage) => {
      if (isAnswered) return void response.resume()
      isAnswered = true
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    }
    let left = urls.length
    const send = () => {
      left--
      const { method, headers, url = '/' } = incoming
      request(new URL(url, next()), { method, headers })
        .on('response', answer)
        .on('error', () => {
          if (isAnswered) return
          if (left > 0) return send()
          isAnswered = true
          outgoing.writeHead(502).end()
        })
        .end(body)
    }
    send()
    if (repeatAfterMs !== undefined) setTimeout(() => isAnswered || send(), repeatAfterMs)
  }
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
