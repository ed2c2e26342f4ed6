/**
 * What a host is started with, what it tells and what one gets of it.
 *
 * @module
 */
import type { LogStream } from './instance/services.ts'
import type { PublicRoute } from './manifest/application.ts'
import type { Manifest } from './manifest/manifest.ts'
import type { LostThreadsError } from './pool/lost-threads.ts'
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
   * Threads that may go on although they were ended, until they end or `onFatal` is told. Each was replaced; it keeps
   * a core, and what it allocates. Code that never comes to a point where V8 can stop it does this.
   *
   * @default 4
   */
  maxLostThreads?: number
  /**
   * Bytes of a worker's JavaScript heap: what the host keeps for guests, not their memory. A worker that needs more
   * ends and is replaced, and its requests are answered or sent again. Without it one guest takes the process's.
   *
   * @default 536_870_912
   */
  maxWorkerHeap?: number
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
  /** Milliseconds a client has to send the head of a request; then 408. Half a head would hold a socket for ever. @default 20_000 */
  headerTimeoutMs?: number
  /**
   * Milliseconds without a byte of a request's body, while the host wants one; then 408, and the connection is closed.
   * A client that stops in the middle would hold an instance for ever.
   *
   * @default 15_000
   */
  bodyIdleMs?: number
  /**
   * Connections at once. For each one beyond, a connection without a request is closed, the one that has been idle for
   * longest: a flood of connections would otherwise take every file descriptor.
   *
   * @default half of the files the process may open, at most 10_000
   */
  maxConnections?: number
  /** Connections of one client address at once; further ones are closed. Of IPv6 a /64 counts as one address. @default 512 */
  maxClientConnections?: number
  /** Requests of one client address at once; further ones get 429 with Retry-After. @default 128 */
  maxClientRequests?: number
  /**
   * Addresses and CIDR blocks of proxies in front. A request from one counts for the client that its
   * `X-Forwarded-For` names, which is not believed of anyone else. This machine is always trusted; a trusted peer that
   * sends no `X-Forwarded-For` is not counted.
   *
   * @default none
   */
  trustedProxies?: readonly string[]
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
  /**
   * The host cannot go on: too many threads do not end, or those that do not end fill the memory. Say so and end the
   * process, with SIGKILL: `process.exit` waits for its threads.
   *
   * @default throws to the handler of uncaught exceptions; without one, prints the message and ends the process
   */
  onFatal?: (error: LostThreadsError) => void
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
  /**
   * Takes no more requests, lets those that run come to their end, frees everything.
   *
   * @throws {LostThreadsError} when threads did not end; everything else is freed.
   */
  close(): Promise<void>
}
