import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { startSimulator, type Simulator } from 'ftl-comfyui/simulator'

/**
 * What becomes of a prompt that is submitted:
 *
 * - `passes`
 * - `is lost`: the connection breaks before the server has seen it
 * - `is not answered`: the server takes it, and the connection breaks
 * - `cuts the line`: the server takes it, and for two seconds nothing goes through
 * - `hangs`: it is on its way for ever; the server has not seen it
 * - `is answered by nobody`: the server takes it, and its answer is on its way for ever
 */
export type Submission =
  'passes' | 'is lost' | 'is not answered' | 'cuts the line' | 'hangs' | 'is answered by nobody'

const CUT_MS = 2000

/** The simulator behind a network that can break, which knows what went through it. */
export interface Comfyui {
  /** Stays the same over restarts. */
  url: string
  /** Ids of the prompts the server has taken, in order; the id of a prompt is that of its job. */
  readonly taken: readonly string[]
  /** Method and path of every request, in order. */
  readonly requests: readonly string[]
  /** What happens to the next prompts, one after the other; afterwards they pass. */
  readonly next: Submission[]
  /** Settles with the id of the next prompt that comes, whatever becomes of it, at the moment it is decided. */
  submission(): Promise<string>
  /** Ends the server at once and starts it again, which has forgotten everything, as the real one does. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function startComfyui(renderSeconds: number): Promise<Comfyui> {
  const start = () => startSimulator({ port: 0, renderSeconds })
  let simulator: Simulator | undefined = await start()
  const taken: string[] = []
  const requests: string[] = []
  const next: Submission[] = []
  let heard: ((id: string) => void)[] = []
  let cutUntil = 0

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    requests.push(`${incoming.method} ${incoming.url}`)
    const body = await buffer(incoming)
    if (Date.now() < cutUntil) return void outgoing.destroy()
    const submits = incoming.method === 'POST' && /^(\/api)?\/prompt$/.test(incoming.url ?? '')
    if (!submits) return answer(await forward(simulator, incoming, body), outgoing)
    const submission = next.shift() ?? 'passes'
    const { prompt_id: id } = JSON.parse(body.toString()) as { prompt_id: string }
    const arrives = submission !== 'is lost' && submission !== 'hangs'
    const reply = arrives ? await forward(simulator, incoming, body) : undefined
    if (reply?.status === 200) taken.push(id)
    for (const hear of heard) hear(id)
    heard = []
    if (submission === 'passes' || submission === 'is lost') answer(reply, outgoing)
    else if (submission === 'cuts the line') cutUntil = Date.now() + CUT_MS
    if (submission === 'is not answered' || submission === 'cuts the line') outgoing.destroy()
  }

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    requests,
    next,
    submission: () => new Promise((resolve) => heard.push(resolve)),
    async restart() {
      const old = simulator
      simulator = undefined
      await old?.close()
      simulator = await start()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await simulator?.close()
    },
  }
}

interface Reply {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

/** `undefined` when the server is not there. */
function forward(
  simulator: Simulator | undefined,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<Reply | undefined> {
  if (!simulator) return Promise.resolve(undefined)
  const target = new URL(url ?? '/', simulator.url)
  return new Promise((resolve) => {
    const sent = request(target, { method, headers: { ...headers, host: target.host } })
    sent.on('response', (response) => {
      buffer(response).then(
        (read) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read }),
        () => resolve(undefined),
      )
    })
    sent.on('error', () => resolve(undefined))
    sent.end(body)
  })
}

function answer(reply: Reply | undefined, outgoing: ServerResponse): void {
  if (!reply) outgoing.destroy()
  else outgoing.writeHead(reply.status, reply.headers).end(reply.body)
}
