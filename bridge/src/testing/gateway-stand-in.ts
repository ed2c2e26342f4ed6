/** For tests: a small HTTP server that serves jobs and files as the gateway does, and a client as in the guide. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PublicJob } from 'ftl-contract'

/** The default content of every output that the stand-in serves. */
export const IMAGE = Buffer.from('89504e470d0a1a0a00112233', 'hex')

export class GatewayStandIn {
  readonly jobs = new Map<string, PublicJob>()
  /** Paths that were asked for. */
  looks: string[] = []
  /** Called with the path of each request. */
  onLook: (path: string) => void = () => undefined
  /** The bytes of every output. */
  file: Buffer = IMAGE
  /** The query without which nothing is shown. @default none */
  link: string | undefined
  /** Headers of the last request for a file. */
  fileHeaders: IncomingMessage['headers'] = {}
  /** Answers in place of the gateway while it is set, for example as a broken proxy does. */
  instead: ((response: ServerResponse) => void) | undefined
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response))
  }

  static async start(): Promise<GatewayStandIn> {
    const gateway = new GatewayStandIn()
    await gateway.listen(0)
    return gateway
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
  }

  /** Stops listening: connections are refused. */
  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  healthy(): void {
    this.looks = []
    this.instead = undefined
    this.file = IMAGE
    this.link = undefined
  }

  broken(): void {
    this.instead = (response) => response.writeHead(503).end()
  }

  /** A job that has just begun. */
  working(change: Partial<PublicJob> = {}): PublicJob {
    const job: PublicJob = {
      id: crypto.randomUUID(),
      component: 'generate-image',
      tool: 'generate_image',
      status: 'working',
      seq: 1,
      createdAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-01T00:00:00Z',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      pollIntervalMs: 100,
      ...change,
    }
    this.jobs.set(job.id, job)
    return job
  }

  complete(job: PublicJob, change: Partial<PublicJob> = {}): void {
    const { id } = job
    this.jobs.set(id, {
      ...job,
      status: 'completed',
      seq: job.seq + 1,
      result: {
        content: [
          { type: 'text', text: 'seed 7' },
          { type: 'resource_link', uri: `/outputs/${id}.png`, name: 'a', mimeType: 'image/png' },
        ],
        structuredContent: { seed: 7 },
      },
      ...change,
    })
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const [path = '', query] = (request.url ?? '').split('?', 2)
    this.looks.push(path)
    this.onLook(path)
    if (this.instead) return this.instead(response)
    if (this.link !== undefined && query !== this.link) {
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { code: 'unauthorized', message: 'a token' } }))
      return
    }
    if (path.startsWith('/outputs/')) return this.#file(request, response)
    const job = this.jobs.get(path.slice('/jobs/'.length))
    response.writeHead(job ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(job ?? { error: { code: 'job_not_found', message: 'none' } }))
  }

  #file({ headers, method }: IncomingMessage, response: ServerResponse): void {
    this.fileHeaders = headers
    const { range, 'if-none-match': etag } = headers
    const size = this.file.length
    const common = { 'content-type': 'image/png', etag: '"e1"', 'accept-ranges': 'bytes' }
    if (etag === '"e1"') response.writeHead(304, { etag }).end()
    else if (range === 'bytes=0-3') {
      const part = { 'content-range': `bytes 0-3/${size}`, 'content-length': 4 }
      response.writeHead(206, { ...common, ...part }).end(this.file.subarray(0, 4))
    } else if (range) response.writeHead(416, { 'content-range': `bytes */${size}` }).end()
    else {
      response.writeHead(200, { ...common, 'content-length': size, 'set-cookie': 'a=b' })
      response.end(method === 'HEAD' ? undefined : this.file)
    }
  }
}

export interface Message {
  method: string
  params: {
    stream_id: string
    seq?: number
    progress?: number
    total?: number
    node?: string
    mimeType?: string
    data?: string
    result?: { content: { type: string; source?: string }[]; structuredContent?: unknown }
    error?: { code: number; message: string }
  }
}

export interface Listening {
  messages: Message[]
  /** Settles with the close code. */
  closed: Promise<number>
  /** Why the server closed; empty while it has not. */
  reason: () => string
  /** Settles when `stream/end` has come. */
  ended: Promise<void>
  socket: WebSocket
}

/** Connects as the guide describes; `stream` is an id, with an optional query. */
export function listen(bridgeUrl: string, stream: string): Listening {
  const socket = new WebSocket(`${bridgeUrl.replace('http', 'ws')}/ws/stream/${stream}`)
  const messages: Message[] = []
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    messages.push(message)
    if (message.method === 'stream/end') end()
  }
  let said = ''
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code, reason }) => {
      said = reason
      resolve(code)
    }
  })
  return { messages, closed, reason: () => said, ended, socket }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
