/** Serves Streamable HTTP on one address; by default `ftl bridge-stdio` serves only clients on this machine. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import { type FetchHandler, REQUEST_LIMIT } from './mcp-handler.ts'

export interface HttpFront {
  /** Of the MCP endpoint. */
  url: string
  close(): Promise<void>
}

export interface FrontOptions {
  /** `host:port`; port 0 takes a free one. */
  listen: string
  /** Paths that the handler takes; the first is that of the URL. @default ['/mcp'] */
  paths?: readonly string[]
}

/** Milliseconds that running responses may still take after `close`. */
const DRAIN_MS = 1000
const PATHS = ['/mcp']

/** @throws {Error} when the address is in use. */
export async function openFront(
  handler: FetchHandler,
  { listen, paths = PATHS }: FrontOptions,
): Promise<HttpFront> {
  const [, host = '127.0.0.1', port = '0'] = /^\[?(.*?)\]?:(\d+)$/.exec(listen) ?? []
  // Any web page can make a browser send requests here. Checking Origin rejects pages of other sites; checking Host
  // prevents DNS rebinding.
  const hostnames = [...localhostAllowedHostnames(), host, isIP(host) === 6 ? `[${host}]` : host]
  const refuse = (request: Request): Response | undefined =>
    hostHeaderValidationResponse(request, [...hostnames, ...addressIn(request, host)]) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    (paths.includes(new URL(request.url).pathname)
      ? undefined
      : new Response('Not found', { status: 404 }))
  const server = createServer((incoming, outgoing) => {
    const gone = new AbortController()
    outgoing.once('close', () => gone.abort())
    void respond({ refuse, handler }, incoming, outgoing, gone.signal)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(Number(port), host, resolve)
  })
  const address = server.address()
  const taken = typeof address === 'object' && address ? address.port : Number(port)
  const shown = isIP(host) === 6 ? `[${host}]` : host
  return {
    url: `http://${shown}:${taken}${paths[0] ?? ''}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await closed
      clearTimeout(timer)
    },
  }
}

/** Clients of an address that stands for all of this machine name one of them, which no page can lead elsewhere. */
function addressIn(request: Request, listensOn: string): string[] {
  const { hostname } = new URL(request.url)
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return isAddress && ['0.0.0.0', '::'].includes(listensOn) ? [hostname] : []
}

interface Answers {
  /** Looks at the head only. */
  refuse: (request: Request) => Response | undefined
  handler: FetchHandler
}

async function respond(
  { refuse, handler }: Answers,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  try {
    // Before the body is read: a page of another site must not make this process hold 64 MiB for each request.
    const refused = refuse(toRequest(incoming, undefined, signal))
    const body = refused ? undefined : await readBody(incoming)
    if (!refused && !body) return void outgoing.writeHead(413, { connection: 'close' }).end()
    const response = refused ?? (await handler(toRequest(incoming, body, signal)))
    // What is left of the body of a refused request is not read.
    const close = refused ? ['connection', 'close'] : []
    outgoing.writeHead(response.status, [...[...response.headers].flat(), ...close])
    if (!response.body) return void outgoing.end()
    outgoing.flushHeaders()
    await pipeline(Readable.from(response.body), outgoing)
  } catch {
    // The client disconnected, or the request has an invalid URL, method or Host.
    if (!outgoing.headersSent) outgoing.writeHead(400)
    outgoing.end()
  }
}

/** @returns `undefined` when the body is longer than `REQUEST_LIMIT`. */
async function readBody(incoming: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > REQUEST_LIMIT) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function toRequest(
  { method = 'GET', url = '/', headers, rawHeaders }: IncomingMessage,
  body: Buffer<ArrayBuffer> | undefined,
  signal: AbortSignal,
): Request {
  const sent = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    sent.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  }
  return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
    method,
    headers: sent,
    signal,
    body: method === 'GET' || method === 'HEAD' ? undefined : body,
  })
}
