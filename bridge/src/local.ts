/**
 * The bridge on one machine: the same Worker on workerd, through miniflare.
 *
 * @module
 */
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { pause } from 'ftl-contract'
import { accessSettings } from './access.ts'
import { memoryLimitFor, watchMemory } from './memory-watch.ts'
import { type Limits, readLimits } from './settings.ts'
import { endOrphan, ownWorkerds, recordWorkerd } from './orphaned-workerd.ts'
import { withoutSignalHandlers } from './signals.ts'
import { type BridgeStatus, type Launched, Supervisor } from './supervisor.ts'

export type { BridgeStatus } from './supervisor.ts'

export interface BridgeOptions {
  /** Origin of the gateway, for example `http://127.0.0.1:3000`. */
  gatewayUrl: string
  /** Address to listen on. The default keeps the bridge to this machine. @default '127.0.0.1' */
  host?: string
  /** 0 takes a free port. @default 8001 */
  port?: number
  /** Origin clients reach the bridge at, where a proxy stands in front. @default the origin of their request */
  publicUrl?: string
  /**
   * Takes the scheme of a client's address from `X-Forwarded-Proto`.
   *
   * Only behind a proxy that sets this header itself.
   *
   * @default false
   */
  trustForwardedProto?: boolean
  /**
   * Names the bridge is called by besides localhost, IP addresses and the host of `publicUrl`.
   *
   * Without the check a page could point its own domain at this machine and read the streams (DNS rebinding). An
   * entry is `host`, `host:port`, `*.example.com` or `*`.
   *
   * @default none
   */
  allowedHosts?: readonly string[]
  /**
   * Origins of pages that may use the bridge, besides those of this machine, of the bridge and of the gateway.
   *
   * @default none
   */
  allowedOrigins?: readonly string[]
  /** Milliseconds the gateway may be unreachable before a stream ends with an error. @default 30_000 */
  giveUpMs?: number
  /**
   * ComfyUI servers whose live progress may be watched, by names of your choice. Clients see neither names nor URLs.
   *
   * @default none; progress then comes from the job record alone
   */
  comfyuiUrls?: Record<string, string>
  /** The `client_id` jobs are submitted with: without one ComfyUI sends no previews. @default a random one */
  comfyuiClientId?: string
  /** Serves PNG files with the workflow ComfyUI writes into them. @default false */
  keepPngText?: boolean
  limits?: Partial<Limits>
  /**
   * Bytes of memory beyond which workerd is ended and started again; clients connect again by themselves. Only on Linux.
   *
   * Without a limit, clients that send huge messages fill the memory of the machine.
   *
   * @default 1 GiB and 1.5 MiB for each of `limits.maxTotalSockets`; at most three quarters of the machine's memory
   */
  maxMemoryBytes?: number
  /**
   * File that records the process of workerd. If this process is killed, workerd keeps the port; the next start with the
   * same file then ends it. Any other process on the port is left alone.
   *
   * @default none; the port stays taken
   */
  processFile?: string
  /** Called with the id of a workerd that was left behind by an earlier run and is ended now. */
  onOrphan?: (pid: number) => void
  /** Called when workerd has ended and when it runs again. The bridge starts it by itself. */
  onStatus?: (status: BridgeStatus, reason?: string) => void
  /** Receives what the Worker logs, a line each. @default nothing is written */
  onLog?: (line: string) => void
}

export interface Bridge {
  /** For example `http://127.0.0.1:8001`. */
  url: string
  /** Ends workerd; open sockets are cut. */
  close(): Promise<void>
}

/** Behaviour of workerd on this day; not newer than the workerd that is installed. */
const COMPATIBILITY_DATE = '2026-04-01'

/** How long the threads of a killed process may keep its port, in milliseconds. */
const RELEASE_MS = 5000
const POLL_MS = 50

/**
 * Starts the bridge, and starts it again if it ends. It keeps no state: streams survive its restart, because their jobs
 * are stored in the gateway.
 *
 * @throws an Error with code `EADDRINUSE` naming host and port, when the port is taken.
 * @throws {TypeError} when `gatewayUrl` is not an http address, or an entry of a list cannot be a host or an origin.
 * @example
 * const bridge = await startBridge({ gatewayUrl: 'http://127.0.0.1:3000' })
 */
export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const { host = '127.0.0.1', port = 8001, processFile, onOrphan, onStatus = () => {} } = options
  const bindings = toBindings(options)
  await ensureFree(host, port).catch(async (error: unknown) => {
    const ended = processFile === undefined ? undefined : await endOrphan(processFile)
    if (ended === undefined) throw error
    onOrphan?.(ended)
    await becomeFree(host, port)
  })
  const supervisor = await Supervisor.start({
    port,
    onStatus,
    launch: (at) => launch({ ...options, host, port: at }, bindings),
  })
  return { url: supervisor.url, close: () => supervisor.close() }
}

/** Waits for the last thread of a process that was ended: its sockets close after it has left the list of processes. */
async function becomeFree(host: string, port: number): Promise<void> {
  const until = Date.now() + RELEASE_MS
  while (Date.now() < until) {
    try {
      return await ensureFree(host, port)
    } catch {
      await pause(POLL_MS)
    }
  }
  await ensureFree(host, port)
}

async function launch(
  {
    host,
    port,
    processFile,
    maxMemoryBytes,
    onLog = () => {},
  }: BridgeOptions & { host: string; port: number },
  bindings: Record<string, string>,
): Promise<Launched> {
  // workerd reports a taken port as a failed start without a reason.
  await ensureFree(host, port)
  const script = await bundle()
  // Of other bridges in this process.
  const others = await ownWorkerds()
  const create = () =>
    new Miniflare({
      modules: true,
      script,
      compatibilityDate: COMPATIBILITY_DATE,
      host,
      port,
      durableObjects: {
        STREAMS: { className: 'StreamRoom', useSQLite: true },
        FEEDS: { className: 'ComfyFeed', useSQLite: true },
      },
      bindings,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: ({ message }: { message: string }) => onLog(message),
      // No requests to the internet: no description of the edge, no telemetry.
      cf: false,
      telemetry: { enabled: false },
    })
  const { created: miniflare, release } = withoutSignalHandlers(create)
  let unwatch = () => {}
  const close = async () => {
    unwatch()
    release()
    await miniflare.dispose()
  }
  try {
    const url = await miniflare.ready
    const pid = (await ownWorkerds()).find((each) => !others.includes(each))
    if (processFile !== undefined && pid !== undefined) await recordWorkerd(processFile, pid)
    if (pid !== undefined) {
      const most = maxMemoryBytes ?? memoryLimitFor(readLimits(bindings))
      unwatch = watchMemory(pid, most, () => {
        onLog(
          `The bridge took more than ${Math.round(most / 1024 ** 2)} MB of memory and is started again.`,
        )
        process.kill(pid, 'SIGKILL')
      })
    }
    return { url: url.origin, pid, close }
  } catch (error) {
    await close().catch(() => {})
    // Another process may have taken the port since it was checked.
    await ensureFree(host, port)
    throw error
  }
}

function toBindings({
  gatewayUrl,
  publicUrl,
  trustForwardedProto = false,
  allowedHosts = [],
  allowedOrigins = [],
  giveUpMs,
  comfyuiUrls = {},
  comfyuiClientId = '',
  keepPngText = false,
  limits = {},
}: BridgeOptions): Record<string, string> {
  if (!/^https?:$/.test(URL.parse(gatewayUrl)?.protocol ?? '')) {
    throw new TypeError(`gatewayUrl must be an http or https address, not "${gatewayUrl}"`)
  }
  const access = { ALLOWED_HOSTS: allowedHosts.join(), ALLOWED_ORIGINS: allowedOrigins.join() }
  checkLists(access)
  return {
    GATEWAY_URL: gatewayUrl,
    ...access,
    TRUST_FORWARDED_PROTO: String(trustForwardedProto),
    ...(publicUrl === undefined ? {} : { PUBLIC_URL: publicUrl }),
    ...(giveUpMs === undefined ? {} : { GIVE_UP_MS: String(giveUpMs) }),
    COMFYUI_URLS: JSON.stringify(comfyuiUrls),
    COMFYUI_CLIENT_ID: comfyuiClientId,
    KEEP_PNG_TEXT: String(keepPngText),
    MAX_SOCKETS: String(limits.maxTotalSockets),
    MAX_SOCKETS_PER_STREAM: String(limits.maxSockets),
    MAX_MESSAGE_BYTES: String(limits.maxMessageBytes),
    MAX_BUFFERED_BYTES: String(limits.maxBufferedBytes),
    CLOSE_GRACE_MS: String(limits.closeGraceMs),
    HEARTBEAT_MS: String(limits.heartbeatMs),
  }
}

/** @throws {TypeError} when an entry has another form than the gateway's lists have. */
function checkLists({ ALLOWED_HOSTS, ALLOWED_ORIGINS }: Record<string, string>): void {
  const settings = accessSettings(ALLOWED_HOSTS, ALLOWED_ORIGINS)
  for (const [option, read] of [
    ['allowedHosts', () => settings.allowedHosts],
    ['allowedOrigins', () => settings.allowedOrigins],
  ] as const) {
    try {
      read()
    } catch (error) {
      const problem = (error as Error).message.replace(/^.*?" /, '')
      throw new TypeError(`${option} ${problem}`, { cause: error })
    }
  }
}

/** Beside this module, also where the package is built to JavaScript. */
const WORKER = new URL(`./worker${import.meta.url.slice(-3)}`, import.meta.url)

/** Takes about 20 ms, so the result is not kept. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(WORKER)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

async function ensureFree(host: string, port: number): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  await new Promise((resolve) => server.close(resolve))
}
