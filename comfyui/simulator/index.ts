/**
 * A stand-in for a ComfyUI server: the recorded HTTP and WebSocket API, with pictures drawn from the prompt
 * instead of generated.
 *
 * @module
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { createControl } from './control.ts'
import { dispatch, isAuthorized } from './dispatch.ts'
import { createExecutor, type ExecutorOptions } from './execute.ts'
import { type Faults, noFaults, take } from './faults.ts'
import { saveFile, savePicture } from './files.ts'
import { addressOf, empty, isForeign, isRebound, send } from './http.ts'
import { MODELS } from './nodes/catalog.ts'
import { PromptQueue } from './queue.ts'
import type { Site } from './routes.ts'
import { SocketHub } from './sockets.ts'
import { folderStore, memoryStore } from './store.ts'
import { type ComfyVersion, VERSIONS } from './version.ts'

export type { Faults } from './faults.ts'
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
  /** Seconds a sampler takes for all its steps; with 0 hundreds of small pictures take a second. @default 3 */
  renderSeconds?: number
  /** Names of model files by folder, for example `checkpoints`; replaces the folders it names. @default SDXL base */
  models?: Readonly<Record<string, readonly string[]>>
  /** Trouble from the start; it can be switched on later, too. @default none */
  faults?: Partial<Faults>
}

export interface Simulator {
  /** Without a slash at the end. */
  url: string
  /** Switches trouble on and off, as `POST /simulator/faults` does. */
  set(faults: Partial<Faults>): Promise<void>
  /** Forgets queue and history and drops every socket, as a restarted server does; files stay. */
  restart(): Promise<void>
  /** Stops at once; with a `stateDir` what runs is started again by the next simulator. */
  close(): Promise<void>
}

/**
 * An idle connection is kept for so long, as by the real server (aiohttp 3.14.5). Node's five seconds end one while a client begins
 * to use it again.
 */
const KEEP_ALIVE_MS = 3_630_000

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
    models = {},
  } = options
  const folders = new Map(Object.entries({ ...MODELS, ...models }))
  const traits = VERSIONS[version]
  const store = stateDir === undefined ? memoryStore() : folderStore(stateDir)
  const hub = new SocketHub(traits.features)
  const faults = noFaults()
  const executorOptions: ExecutorOptions = {
    renderSeconds,
    runsOutOfMemory: () => take(faults, 'outOfMemory'),
    emit: (type, data, clientId) => hub.emit(type, data, clientId),
    preview: (...preview) => hub.preview(...preview),
    save: (picture, prefix, type, item) => savePicture(store, picture, prefix, type, item),
    saveFile: (bytes, extension, prefix) => saveFile(store, { bytes, extension }, prefix, 'output'),
    readInput: async (name) => (await store.read('input', name))?.bytes,
  }
  let execute = createExecutor(executorOptions)
  const queue = new PromptQueue({
    store,
    execute: (item, control) => execute(item, control),
    historyDelayMs: () => faults.historyDelayMs,
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
    faults,
    async choices() {
      const files = await store.list('input', '', true)
      return {
        models: (folder) => folders.get(folder) ?? [],
        inputFiles: () => files.filter((name) => !name.includes('/')).sort(),
        hasInputFile: (name) => files.includes(name),
        modern: traits.modernInfo,
      }
    },
  }
  const control = createControl(faults, queue, async () => {
    for (const client of sockets.clients) client.terminate()
    await queue.restart()
    execute = createExecutor(executorOptions)
  })
  const isRefused = ({ headers }: IncomingMessage) =>
    isRebound(headers, host) || isForeign(headers, traits.checksFetchSite)
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const reply = isRefused(request) ? empty(403) : await dispatch(request, site, control)
    if (reply) send(response, reply)
    else request.socket.destroy()
  }
  const server = createServer((request, response) => {
    // It runs in the process of `ftl dev`, which an error that is not handled would end.
    answer(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = KEEP_ALIVE_MS
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`)
    if (isRefused(request)) return refuse('403 Forbidden')
    const address = addressOf(request)
    if (!address) return refuse('400 Bad Request')
    const { pathname, searchParams } = address
    if (!/^(?:\/api)?\/ws$/.test(pathname)) return refuse('404 Not Found')
    const token = searchParams.get('token')
    if (!isAuthorized(request.headers, faults, token)) return refuse('401 Unauthorized')
    sockets.handleUpgrade(request, socket, head, (client) =>
      hub.attach(client, searchParams.get('clientId') ?? undefined, queue.remaining),
    )
  })
  await listen(server, host, port)
  await queue.restore()
  if (options.faults) await control.set(options.faults)
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    set: (change) => control.set(change),
    restart: () => control.restart(),
    async close() {
      await queue.close()
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
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
