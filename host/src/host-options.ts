/**
 * What a host is started with, what it tells and what one gets of it.
 *
 * @module
 */
import type { LogStream } from './instance/services.ts'
import type { PublicRoute } from './manifest/application.ts'
import type { Manifest } from './manifest/manifest.ts'
import type { WorkerLost } from './pool/pool.ts'
import type { ApplicationOptions } from './runtime-config/application-settings.ts'
import type { RequestEntry } from './telemetry/request-entry.ts'

/** What `startHost` is given besides the manifest. */
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
   * Bytes the host holds for one request outside the guest's own memory: handles, headers, bytes of bodies on their
   * way. A guest that makes it hold more ends, as one that uses up its own memory does; otherwise it could fill the
   * memory of the whole process.
   *
   * @default 33_554_432
   */
  maxHostMemory?: number
  /**
   * Bytes of output of one request; what a guest prints beyond is dropped, and a line says so. A guest can print
   * hundreds of megabytes a second, which fills a disk.
   *
   * @default 1_048_576
   */
  maxOutputBytes?: number
  /**
   * Bytes a second that one component prints in all its requests, four times as many at once; lines beyond are dropped
   * and counted.
   *
   * @default 1_048_576
   */
  maxOutputRate?: number
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
  /** Addresses of modules (`file:`) that each worker imports before it serves, as `node --import` does. @default none */
  workerImports?: readonly string[]
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

/** How far a component is on its way to be served. */
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

/** An application that is served. */
export interface Host {
  /** Without a slash at the end. */
  url: string
  manifest: Manifest
  /** Public routes. */
  routes: PublicRoute[]
  /**
   * Serves the manifest and the components as they are now, on the same address and state. No connection is refused
   * meanwhile; a request that has begun ends where it began. Other options stay as they were.
   *
   * @param changes values of variables, instead of those of before.
   * @throws {ManifestError} {@link PrepareError} {@link MissingVariablesError}; then everything stays as it was.
   */
  reload(changes?: Pick<HostOptions, 'variables'>): Promise<void>
  /** Takes no more requests, lets those that run come to their end, frees everything. */
  close(): Promise<void>
}
