/**
 * The embedded host: an application of a `spin.toml`, served by this process.
 *
 * @module
 */
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { type PublicRoute, publicRoutes, triggeredComponents } from './manifest/application.ts'
import { takeImage } from './instance/instance.ts'
import type { LogStream } from './instance/services.ts'
import { holdState, type State } from './kv/state.ts'
import { type ComponentManifest, type Manifest, ManifestError } from './manifest/manifest.ts'
import { Pool, type WorkerLost } from './pool/pool.ts'
import { prepare, type PreparedProgram } from './prepare/prepare.ts'
import {
  type ApplicationOptions,
  type ApplicationSettings,
  readApplication,
} from './runtime-config/application-settings.ts'
import { type ListenAddress, localHost, parseListenAddress } from './server/listen-address.ts'
import { Front } from './server/server.ts'
import type { Telemetry, TelemetryOptions } from './telemetry/otlp.ts'
import type { RequestEntry } from './telemetry/request-entry.ts'
import { readTelemetry, type TelemetrySettings } from './telemetry/settings.ts'

export interface HostOptions extends ApplicationOptions {
  /**
   * `host:port`; port 0 takes a free one. There is no TLS and no login: keep it on this machine, or put a
   * proxy in front.
   *
   * @default '127.0.0.1:3000'
   */
  listen?: string
  /** Folder of prepared modules. @default '.ftl/cache' beside the manifest */
  cacheDir?: string
  /**
   * Bytes of memory one request may take; a guest that asks for more sees its allocation fail.
   *
   * @default `max_instance_memory` of the runtime configuration, else 134_217_728, the limit of Akamai Functions
   */
  maxInstanceMemory?: number
  /**
   * Threads that run guests. A guest that never yields stops its own; with one there is no other.
   *
   * @default one for each core
   */
  workers?: number
  /**
   * Milliseconds a guest may compute without waiting for anything; then its thread is ended and replaced, and
   * the other requests there are answered or sent again. Nothing else stops `for(;;){}`.
   *
   * @default 5000
   */
  maxBlockingMs?: number
  /**
   * Milliseconds a request may take, with everything components do for it after the response; then 504, or the
   * response is cut off. Spin has no such limit, and a guest that waits for ever holds 10 MB for ever.
   *
   * @default 600_000
   */
  requestTimeoutMs?: number
  /**
   * Milliseconds a guest may go on when its caller left before it had the whole response. On Spin it goes on to
   * its end, so that calls which hang use up the instances.
   *
   * @default 30_000
   */
  abandonedMs?: number
  /** Requests of clients served at once; further ones get 503 with Retry-After. @default 1000 */
  maxRequests?: number
  /**
   * Instances of one component that run at once, in all workers together; a request beyond gets 503, a call of
   * another component the error `connection-limit-reached`. Each takes 10 to 20 MB.
   *
   * @default 250
   */
  maxInstances?: number
  /** Components between a client and the last one: those that call each other in a circle end. @default 16 */
  maxChainDepth?: number
  /** Bytes of a request's head; more gets 431. @default 16_384 */
  maxHeaderBytes?: number
  /** Bytes of a request's body; more gets 413. Bodies are streamed, so a large one costs no memory. @default 1 GiB */
  maxBodyBytes?: number
  /** Milliseconds `close` waits for requests that run. @default 2000 */
  drainMs?: number
  onProgress?: (event: PrepareEvent) => void
  /** A component needs a fresh instance for each request, and why: it then takes milliseconds more. */
  onGeneric?: (event: { component: string; reason: string }) => void
  onLog?: (entry: LogEntry) => void
  /** Each request from outside once its answer has ended, those without a route included. */
  onRequest?: (entry: RequestEntry) => void
  onError?: (entry: ErrorEntry) => void
  /** @default told to `onError` in words */
  onWorkerLost?: (event: WorkerLost) => void
}

export interface PrepareEvent {
  component: string
  /** `cached`: there was nothing to prepare. */
  state: 'preparing' | 'prepared' | 'cached'
  /** Since the component's turn began. */
  milliseconds: number
}

/** A line a component wrote. */
export interface LogEntry {
  component: string
  stream: LogStream
  line: string
}

/** Something that failed and that no client is told about. */
export interface ErrorEntry {
  component: string
  message: string
}

export interface Host {
  /** Without a slash at the end. */
  url: string
  manifest: Manifest
  /** Public routes. */
  routes: PublicRoute[]
  /** Takes no more requests, lets those that run come to their end, frees everything. */
  close(): Promise<void>
}

const DEFAULT_MEMORY = 128 * 1024 * 1024

/**
 * Serves an application.
 *
 * @throws {ManifestError} {@link PrepareError} {@link MissingVariablesError} {@link PortInUseError}
 * {@link TelemetryError}
 * @example
 * const host = await startHost({ manifest: 'spin.toml', listen: '127.0.0.1:0' })
 * const answer = await fetch(host.url)
 * await host.close()
 */
export async function startHost(options: HostOptions): Promise<Host> {
  const address = parseListenAddress(options.listen ?? '127.0.0.1:3000')
  const application = await readApplication(options)
  const { manifest, config } = application
  const telemetry = readTelemetry(options.env ?? process.env)
  const memoryLimit = options.maxInstanceMemory ?? config.maxInstanceMemory ?? DEFAULT_MEMORY
  const triggered = triggeredComponents(manifest)
  const programs = await Promise.all(
    triggered.map(async (component) => ({
      component,
      program: await prepareComponent(component, manifest, memoryLimit, options),
    })),
  )
  const state = await holdState(application.state)
  try {
    return await serve({ options, application, state, programs, address, telemetry })
  } catch (error) {
    state.release()
    throw error
  }
}

interface Parts {
  options: HostOptions
  application: ApplicationSettings
  state: State
  programs: { component: ComponentManifest; program: PreparedProgram }[]
  address: ListenAddress
  telemetry: TelemetrySettings | undefined
}

async function serve(parts: Parts): Promise<Host> {
  const { options, application, state, programs, address } = parts
  const { manifest } = application
  const { onError = () => {}, onLog = () => {}, drainMs = 2000 } = options
  const maxInstances = options.maxInstances ?? 250
  const workers = Math.min(options.workers ?? availableParallelism(), maxInstances)
  const pool = new Pool({
    settings: {
      manifest,
      programs,
      variables: application.variables,
      stores: state.stores,
      maxInstances: Math.floor(maxInstances / workers),
      abandonedMs: options.abandonedMs ?? 30_000,
      maxChainDepth: options.maxChainDepth ?? 16,
      codeCacheDir: join(cacheFolder(options, manifest), 'code'),
      traced: parts.telemetry?.traces !== undefined,
      self: undefined,
    },
    workers,
    maxBlockingMs: options.maxBlockingMs ?? 5000,
    requestTimeoutMs: options.requestTimeoutMs ?? 600_000,
    maxRequests: options.maxRequests ?? 1000,
    onLog,
    onProblem: onError,
    onWorkerLost: (lost) => {
      telemetry?.workerLost(lost.component)
      if (options.onWorkerLost) options.onWorkerLost(lost)
      else onError(describeLoss(lost))
    },
    counting: parts.telemetry?.metrics !== undefined,
  })
  const telemetry = await startTelemetry(parts.telemetry, {
    application: manifest.application,
    onProblem: (message) => onError({ component: 'host', message }),
    running: () => pool.running,
    instances: () => pool.instances,
  })
  await pool.start()
  try {
    const front = new Front({
      manifest,
      dispatch: (component, request, watch) => pool.dispatch(component, request, watch),
      watch: { onRequest: options.onRequest, telemetry },
      onError,
      maxHeaderBytes: options.maxHeaderBytes ?? 16_384,
      maxBodyBytes: options.maxBodyBytes ?? 1024 ** 3,
    })
    const bound = await front.listen(address)
    const self = { host: localHost(bound.address), port: bound.port }
    pool.listensAt(self)
    const host = self.host.includes(':') ? `[${self.host}]` : self.host
    return {
      url: `http://${host}:${bound.port}`,
      manifest,
      routes: publicRoutes(manifest),
      close: async () => {
        const deadline = performance.now() + drainMs
        await front.close(drainMs)
        // Work after the response (waitUntil) has no connection that waits for it.
        while (performance.now() < deadline && pool.running > 0) {
          await new Promise((wake) => setTimeout(wake, 10))
        }
        await pool.close()
        state.release()
        await telemetry?.close()
      },
    }
  } catch (error) {
    await pool.close()
    await telemetry?.close()
    throw error
  }
}

// The SDK is loaded for those only who asked for it.
async function startTelemetry(
  settings: TelemetrySettings | undefined,
  options: Omit<TelemetryOptions, 'settings'>,
): Promise<Telemetry | undefined> {
  if (!settings) return undefined
  const { Telemetry } = await import('./telemetry/otlp.ts')
  return Telemetry.start({ settings, ...options })
}

function describeLoss(lost: WorkerLost): ErrorEntry {
  const { reason, component = 'host', path, repeated, failed, replacedAfterMs } = lost
  const where = path === undefined ? '' : ` while it answered ${path.replace(/\?.*$/s, '')}`
  return {
    component,
    message:
      `a worker was lost${where}: ${reason}; ${repeated} requests were sent again, ${failed} failed, ` +
      `replaced after ${Math.round(replacedAfterMs)} ms`,
  }
}

function cacheFolder({ cacheDir }: HostOptions, { folder }: Manifest): string {
  return cacheDir ?? join(folder, '.ftl', 'cache')
}

async function prepareComponent(
  { id, source }: ComponentManifest,
  manifest: Manifest,
  memoryLimit: number,
  options: HostOptions,
): Promise<PreparedProgram> {
  const { onProgress = () => {}, onGeneric = () => {} } = options
  if (typeof source !== 'string') {
    const reason = 'must be a local path: this host downloads nothing'
    throw new ManifestError(manifest.file, `component.${id}.source`, reason)
  }
  const started = performance.now()
  let missed = false
  const report = (state: PrepareEvent['state']) =>
    onProgress({ component: id, state, milliseconds: performance.now() - started })
  const program = await prepare({
    component: id,
    source: resolve(manifest.folder, source),
    cacheDir: cacheFolder(options, manifest),
    memoryLimit,
    onMiss: () => {
      missed = true
      report('preparing')
    },
    onGeneric: (reason) => onGeneric({ component: id, reason }),
  })
  if ('module' in program) takeImage(program)
  report(missed ? 'prepared' : 'cached')
  return program
}
