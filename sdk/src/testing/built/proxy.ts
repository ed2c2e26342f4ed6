/** Where the requests of a built component arrive: as those to an HTTP proxy, with the whole address. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fetch } from '../fetch.ts'

export interface Proxy {
  host: string
  port: number
  close(): void
}

/** Headers that frame the request on its connection; the component did not send them. */
const FRAMING = new Set(['host', 'connection', 'content-length', 'transfer-encoding'])

/**
 * @param answer the network of the test. Where it rejects, the connection is closed: a component cannot see the error of
 *   a server that it does not reach.
 * @param onRejected receives that error.
 */
export async function openProxy(
  answer: Fetch,
  onRejected: (error: unknown) => void,
): Promise<Proxy> {
  const server = createServer((incoming, outgoing) => {
    void pass(incoming, outgoing, answer).catch((error: unknown) => {
      onRejected(error)
      outgoing.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A test that has ended need not wait for it.
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    host: '127.0.0.1',
    port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: Fetch,
): Promise<void> {
  const { method = 'GET', url = '' } = incoming
  const headers = new Headers()
  for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = incoming.rawHeaders.slice(at, at + 2)
    if (!FRAMING.has(name.toLowerCase())) headers.append(name, value)
  }
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  const body = parts.length > 0 && !['GET', 'HEAD'].includes(method) ? Buffer.concat(parts) : null
  const response = await answer(new Request(url, { method, headers, body }))
  outgoing.statusCode = response.status
  if (response.statusText !== '') outgoing.statusMessage = response.statusText
  for (const [name, value] of response.headers) {
    if (!FRAMING.has(name)) outgoing.appendHeader(name, value)
  }
  outgoing.flushHeaders()
  if (response.body) {
    const reader = response.body.getReader()
    outgoing.on('close', () => void reader.cancel().catch(() => undefined))
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (!outgoing.write(value)) await new Promise((resolve) => outgoing.once('drain', resolve))
    }
  }
  outgoing.end()
}
