/** The options of a host, its events and its interface. */
import type { LogStream } from './wire/messages.ts'
import type { AuditOptions } from './audit/audit-options.ts'
import type { RateLimitOptions } from './limits/rate-limit-options.ts'
import type { PublicRoute } from './manifest/application.ts'
import type { Manifest } from './manifest/manifest.ts'
import type { LostThreadsError } from './pool/lost-threads.ts'
import type { WorkerLost } from './pool/pool.ts'
import type { PrepareEvent } from './prepare/programs.ts'
import type { ApplicationOptions } from './runtime-config/application-settings.ts'
import type { ClientLimits } from './server/front-limits.ts'
import type { PlatformName } from './platforms/platforms.ts'
import type { Simulation } from './outbound/simulation.ts'
import type { RequestEntry } from './requests/request-entry.ts'

/** Options of `startHost`. */
export interface HostOptions
  extends ApplicationOptions, ClientLimits, RateLimitOptions, AuditOptions {
  /**
   * `host:port`; port 0 takes a free one. There is no TLS and no authentication: keep it on this machine, or put a
   * proxy in front.
   *
   * @default '127.0.0.1:3000'
   */
  listen?: string
  /**
   * Keeps to the limits of a hosted platform, so that what would fail there fails here: the size of the application,
   * memory, time, bodies, stores and entries.
   *
   * @default none
   */
  platform?: PlatformName | undefined
  /** Folder of prepared modules. @default '.ftl/cache' beside the manifest */
  cacheDir?: string
  /**
   * Bytes of memory one request may take; a guest that asks for more sees its allocation fail.
   *
   * @default `max_instance_memory` of the runtime configuration, else 134_217_728, the limit of Akamai Functions
   */
  maxInstanceMemory?: number
  /**
   * Bytes the host holds for one request outside the guest's own memory: handles, headers, bytes of bodies in
   * transit. A guest that exceeds this ends, like one that uses up its own memory; otherwise it could fill the memory
   * of the whole process.
   *
   * @default 33_554_432
   */
  maxHostMemory?: number
  /**
   * Bytes of output of one request; further output is dropped, and a line reports this. A guest can print hundreds of
   * megabytes a second, which fills a disk.
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
   * Threads that run guests. A guest that never yields blocks its thread; with only one, it blocks all requests.
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
   * Milliseconds for which the requests of a component run on a worker of their own after one of its guests took a
   * thread: the next thread it takes then serves no other component. 0 switches this off. A gateway (a component with
   * `tool_components`) and the only component of an application are never moved.
   *
   * @default 600_000
   */
  quarantineMs?: number
  /**
   * Threads that may keep running although they were ended; one more calls `onFatal`. Each was replaced, but still uses
   * a core and what it allocates. Code that never reaches a point where V8 can stop it causes this.
   *
   * @default 4
   */
  maxLostThreads?: number
  /**
   * Bytes of a worker's JavaScript heap: what the host keeps for guests, not their memory. A worker that needs more
   * ends and is replaced, and its requests are answered or sent again. Without a limit one guest could use up the
   * memory of the process.
   *
   * @default 536_870_912
   */
  maxWorkerHeap?: number
  /**
   * Milliseconds a request may take, including the work of components after the response; then 504, or the response
   * is cut off. Spin has no such limit, and a guest that waits forever holds 10 MB forever.
   *
   * @default 600_000
   */
  requestTimeoutMs?: number
  /**
   * Milliseconds a guest may continue after its caller left before it had the whole response. On Spin it runs to its
   * end, so hanging calls use up the instances.
   *
   * @default 30_000
   */
  abandonedMs?: number
  /** Requests of clients served at once; further ones get 503 with Retry-After. @default 1000 */
  maxRequests?: number
  /**
   * Instances of one component that run at once, in all workers together; a request beyond gets 503, a call of
   * another component the error `connection-limit-reached`. Each takes 10 to 20 MB. A client that follows something by
   * GET takes none of a component that runs beside the others.
   *
   * @default 250
   */
  maxInstances?: number
  /**
   * Source of the gateway that comes with this host, as `ftl-gateway/native` is bundled. A gateway that was built of the
   * same source runs beside the components instead of in a sandbox of its own; a custom one never does.
   *
   * @default all gateways run in the sandbox
   */
  nativeGateway?: string | undefined
  /**
   * Sources of other components that come with this host, such as `remote`: one that was built of the same source runs
   * beside the components, too.
   *
   * @default all run in the sandbox
   */
  nativeComponents?: readonly string[] | undefined
  /** Components between a client and the last one; a longer chain fails, so circular calls end. @default 16 */
  maxChainDepth?: number
  /**
   * Gives every component the variable `dev_build`, which has another value after each reload. The gateway then notifies
   * clients when its lists change; each client that listens holds an instance of it.
   *
   * @default false
   */
  development?: boolean
  /**
   * Path of the program of a worker, as a bundler makes it of `ftl-host/worker`: a start then takes less. It is not used with
   * {@link workerImports}, whose modules may change those of the host.
   *
   * @default the modules of this package
   */
  workerProgram?: string | undefined
  /** URLs of modules (`file:`) that each worker imports before it serves, as `node --import` does. @default none */
  workerImports?: readonly string[]
  /** Replaces the network, the wall clock and the ids of all components, for tests of one. @default the real ones */
  simulation?: Simulation | undefined
  /** Milliseconds `close` waits for requests that run. @default 2000 */
  drainMs?: number
  onProgress?: (event: PrepareEvent) => void
  /** A component needs a fresh instance for each request, which then takes milliseconds longer; `reason` says why. */
  onGeneric?: (event: { component: string; reason: string }) => void
  onLog?: (entry: LogEntry) => void
  /** Each request from outside, called when its response has ended; includes requests without a route. */
  onRequest?: (entry: RequestEntry) => void
  onError?: (entry: ErrorEntry) => void
  /** @default reported to `onError` as a message */
  onWorkerLost?: (event: WorkerLost) => void
  /**
   * The host cannot continue: too many threads do not end, or those that do not end fill the memory. Report it and end
   * the process with SIGKILL, because `process.exit` waits for the threads.
   *
   * @default throws to the handler of uncaught exceptions; without one, prints the message and ends the process
   */
  onFatal?: (error: LostThreadsError) => void
}

/** A line a component wrote. */
export interface LogEntry {
  component: string
  stream: LogStream
  line: string
}

/** A failure that is not reported to any client. */
export interface ErrorEntry {
  component: string
  message: string
}

/** What a reload may change besides what it reads again. */
export type ReloadChanges = Pick<HostOptions, 'variables' | 'overrides'>

/** An application that is served. */
export interface Host {
  /** Without a slash at the end. */
  url: string
  manifest: Manifest
  /** Public routes. */
  routes: PublicRoute[]
  /**
   * Serves the current manifest and components, on the same address and state. No connection is refused meanwhile; a
   * running request ends in the version in which it began. Other options stay unchanged.
   *
   * @param changes values of variables and overrides, instead of the previous ones.
   * @throws {ManifestError} {@link PrepareError} {@link MissingVariablesError}; then everything stays as it was.
   */
  reload(changes?: ReloadChanges): Promise<void>
  /**
   * Accepts no more requests, waits up to `drainMs` for the running ones, and frees everything.
   *
   * @throws {LostThreadsError} when threads did not end; everything else is freed.
   */
  close(): Promise<void>
}

/** A {@link Host} in this process. */
export interface LocalHost extends Host {
  /** Requests that run, including the work of components after the response. */
  readonly running: number
}
