/**
 * Serves a component with Node, without any packages.
 *
 * @module
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Answer } from './members.ts'
import { folderFiles, folderStore } from './node-files.ts'
import { createScriptPlatform, MissingVariable, type ScriptConfig } from './script-config.ts'
import { foreignName, isForeignName, OF_HOST, problem } from './script-responses.ts'

export interface NodeConfig extends ScriptConfig {
  /** Labels of key-value stores. */
  stores: readonly string[]
  /** Absolute path of the folder with the mounted files. */
  filesFolder: string
}

/** Bytes of a request's body. */
const BODY_LIMIT = 10 * 1024 * 1024

/** Milliseconds that requests have to end when the server is stopped. */
const DRAIN_MS = 10_000

/**
 * Serves on `HOST` (127.0.0.1) and `PORT` (3000; 0 takes a free one). Variables are read from `SPIN_VARIABLE_NAME`, and
 * stores are kept in the folder `STATE_DIR` (./state). Prints its address when it serves.
 */
export function serveOnNode(answer: Answer, config: NodeConfig): void {
  const { env } = process
  // One process writes the folder, so it can compare before it writes.
  const facts: Record<string, string> = { host_conditional_writes: 'true' }
  let create: ReturnType<typeof createScriptPlatform>
  try {
    create = createScriptPlatform(config, {
      variable: (name) => env[`SPIN_VARIABLE_${name.toUpperCase()}`],
      facts,
      openStore: (label) =>
        config.stores.includes(label) ? folderStore(env['STATE_DIR'] ?? 'state', label) : undefined,
      files: folderFiles(config.filesFolder),
      fetch: globalThis.fetch,
    })
  } catch (error) {
    if (!(error instanceof MissingVariable)) throw error
    console.error(`${error.message} Set SPIN_VARIABLE_${error.variable.toUpperCase()}.`)
    process.exitCode = 1
    return
  }
  const waitUntil = (work: Promise<unknown>) =>
    void work.catch((error: unknown) => console.error(error))
  // Tools that use the global function keep to the same list.
  const platform = create(waitUntil)
  globalThis.fetch = (input, init) => platform.fetch(input, init)
  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing, (request) => answer(request, create(waitUntil))).catch(
      (error: unknown) => {
        console.error(error)
        outgoing.destroy()
      },
    )
  })
  // An error that a tool leaves behind ends one request in a sandbox of its own. Here it must not end all of them.
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(event, (error: unknown) => console.error(error))
  }
  const host = env['HOST'] ?? '127.0.0.1'
  server.on('error', (error: NodeJS.ErrnoException) => {
    console.error(`${host}:${env['PORT'] ?? 3000} cannot be used (${error.code}): set PORT`)
    process.exitCode = 1
  })
  server.listen(Number(env['PORT'] ?? 3000), host, () => {
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : ''
    console.log(`Serving http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  })
  const stop = () => {
    facts['host_stops'] = 'true'
    server.close(() => process.exit(0))
    setTimeout(() => process.exit(0), DRAIN_MS).unref()
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  let response: Response
  try {
    const request = toRequest(incoming)
    if (request instanceof Response) response = request
    else if (isForeignName(request)) {
      response = foreignName()
    } else response = await answer(request)
  } catch (error) {
    console.error(error)
    response = new Response(null, { status: 500 })
  }
  const cookies = response.headers.getSetCookie()
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) outgoing.setHeader(name, value)
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies)
  outgoing.flushHeaders()
  if (!response.body) return void outgoing.end()
  // A client that leaves ends the stream of the component, too.
  await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => undefined)
}

/** @returns a response for a request that is not one. */
function toRequest(incoming: IncomingMessage): Request | Response {
  const { method = 'GET', headers, url = '/' } = incoming
  if (Number(headers['content-length'] ?? 0) > BODY_LIMIT) {
    return problem(413, 'too_large', `The body must be at most ${BODY_LIMIT} bytes.`)
  }
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (HOP_BY_HOP.has(name) || OF_HOST.test(name) || value === undefined) continue
    for (const each of [value].flat()) sent.append(name, each)
  }
  const { remoteAddress, remotePort } = incoming.socket
  sent.set('spin-client-addr', `${remoteAddress}:${remotePort}`)
  try {
    const address = new URL(url, `http://${headers.host ?? 'localhost'}`)
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const body = hasBody ? Readable.toWeb(Readable.from(limited(incoming))) : null
    return new Request(address, { method, headers: sent, body, duplex: 'half' } as RequestInit)
  } catch {
    return problem(400, 'bad_request', 'The address or the method of the request is not valid.')
  }
}

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect'])

async function* limited(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > BODY_LIMIT) throw new Error('the body of a request is too large')
    yield chunk
  }
}
