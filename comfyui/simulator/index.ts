/**
 * A stand-in for a ComfyUI server: the recorded HTTP and WebSocket API, with pictures drawn from the prompt
 * instead of generated.
 *
 * @module
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { createExecutor } from './execute.ts'
import { savePicture } from './files.ts'
import {
  type Answer,
  createCall,
  empty,
  HttpFailure,
  INTERNAL_ERROR,
  isForeign,
  METHOD_NOT_ALLOWED,
  NO_SUCH_PAGE,
  send,
} from './http.ts'
import { MODELS } from './nodes/catalog.ts'
import { PromptQueue } from './queue.ts'
import { ROUTES, type Site } from './routes.ts'
import { SocketHub } from './sockets.ts'
import { folderStore, memoryStore } from './store.ts'
import { type ComfyVersion, VERSIONS } from './version.ts'

export type { ComfyVersion } from './version.ts'

export interface SimulatorOptions {
  /** @default '127.0.0.1' */
  host?: string
  /** 0 takes a free one. @default 8188 */
  port?: number
  /** Folder that keeps files, queue and history over a restart. @default all in memory, lost at the end */
  stateDir?: string
  /** Which recorded generation to behave like. @default '0.33.0' */
  version?: ComfyVersion
  /** Seconds a sampler takes for all its steps. @default 3 */
  renderSeconds?: number
}

export interface Simulator {
  /** Without a slash at the end. */
  url: string
  /** Stops at once; with a `stateDir` what runs is started again by the next simulator. */
  close(): Promise<void>
}

/**
 * Starts a simulator.
 *
 * @throws an error with code `EADDRINUSE` when the port is taken.
 * @example
 * const comfyui = await startSimulator({ port: 0, renderSeconds: 0.1 })
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const {
    host = '127.0.0.1',
    port = 8188,
    stateDir,
    version = '0.33.0',
    renderSeconds = 3,
  } = options
  const traits = VERSIONS[version]
  const store = stateDir === undefined ? memoryStore() : folderStore(stateDir)
  const hub = new SocketHub(traits.features)
  const execute = createExecutor({
    renderSeconds,
    emit: (type, data, clientId) => hub.emit(type, data, clientId),
    preview: (...preview) => hub.preview(...preview),
    save: (picture, prefix, type, item) => savePicture(store, picture, prefix, type, item),
    readInput: async (name) => (await store.read('input', name))?.bytes,
  })
  const queue = new PromptQueue({
    store,
    execute,
    changed: (remaining) =>
      hub.emit('status', { status: { exec_info: { queue_remaining: remaining } } }),
    finished: ({ id, extraData }) => {
      if (typeof extraData.client_id !== 'string') return
      hub.emit('executing', { node: null, prompt_id: id }, extraData.client_id)
    },
  })
  const site: Site = {
    queue,
    store,
    traits,
    async choices() {
      const files = await store.list('input', '')
      return {
        models: (folder) => MODELS[folder] ?? [],
        inputFiles: () => files.sort(),
        modern: traits.modernInfo,
      }
    },
  }
  const server = createServer((request, response) => {
    void answer(request, site).then((reply) => send(response, reply))
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://simulator')
    const refused = isForeign(request.headers, traits.checksFetchSite)
    if (refused || !/^(?:\/api)?\/ws$/.test(pathname)) {
      socket.end(
        `HTTP/1.1 ${refused ? '403 Forbidden' : '404 Not Found'}\r\nconnection: close\r\n\r\n`,
      )
      return
    }
    sockets.handleUpgrade(request, socket, head, (client) =>
      hub.attach(client, searchParams.get('clientId') ?? undefined, queue.remaining),
    )
  })
  await listen(server, host, port)
  await queue.restore()
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async close() {
      await queue.close()
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(request: IncomingMessage, site: Site): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://simulator')
  if (isForeign(request.headers, site.traits.checksFetchSite)) return empty(403)
  const path = pathname.replace(/^\/api(?=\/)/, '')
  const method = request.method === 'HEAD' ? 'GET' : request.method
  for (const route of ROUTES) {
    const match =
      route.method === method && (!route.jobs || site.traits.jobs) && route.path.exec(path)
    if (!match) continue
    try {
      const call = createCall(request, searchParams, decodeURIComponent(match[1] ?? ''))
      return await route.handle(call, site)
    } catch (error) {
      return error instanceof HttpFailure ? error.answer : INTERNAL_ERROR
    }
  }
  return method === 'GET' ? NO_SUCH_PAGE : METHOD_NOT_ALLOWED
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
