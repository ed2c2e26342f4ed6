/**
 * The embedded host: an application of a `spin.toml`, served by this process.
 *
 * @module
 */
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import type { ErrorEntry, Host, HostOptions, PrepareEvent } from './host-options.ts'
import { publicRoutes, triggeredComponents } from './manifest/application.ts'
import { collectAll } from './instance/discarded.ts'
import { takeImage } from './instance/instance.ts'
import { holdState, type State } from './kv/state.ts'
import { type ComponentManifest, type Manifest, ManifestError } from './manifest/manifest.ts'
import { Pool, type WorkerLost } from './pool/pool.ts'
import { prepare, type PreparedProgram } from './prepare/prepare.ts'
import { type ApplicationSettings, readApplication } from './runtime-config/application-settings.ts'
import { type ListenAddress, localHost, parseListenAddress } from './server/listen-address.ts'
import { Front } from './server/server.ts'
import { readTelemetry, type TelemetrySettings } from './telemetry/settings.ts'
import { startTelemetry } from './telemetry/start.ts'

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
  const shared = new Map<string, Promise<PreparedProgram | undefined>>()
  const programs = await Promise.all(
    triggered.map(async (component) => ({
      component,
      program: await prepareComponent(component, manifest, memoryLimit, options, shared),
    })),
  )
  // What was read to be compiled is 20 MB a component, and nothing here asks for memory so soon again.
  collectAll()
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
      imports: options.workerImports ?? [],
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

/** @param shared by file: one that stands in the manifest under several names is compiled once. */
async function prepareComponent(
  { id, source }: ComponentManifest,
  manifest: Manifest,
  memoryLimit: number,
  options: HostOptions,
  shared: Map<string, Promise<PreparedProgram | undefined>>,
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
  const path = resolve(manifest.folder, source)
  const known = shared.get(path)
  const same = known && (await known)
  if (same) {
    report('cached')
    return same
  }
  const preparing = prepare({
    component: id,
    source: path,
    cacheDir: cacheFolder(options, manifest),
    memoryLimit,
    onMiss: () => {
      missed = true
      report('preparing')
    },
    onGeneric: (reason) => onGeneric({ component: id, reason }),
  })
  shared.set(
    path,
    preparing.then(
      (program) => ('module' in program ? program : undefined),
      () => undefined,
    ),
  )
  const program = await preparing
  if ('module' in program) takeImage(program)
  report(missed ? 'prepared' : 'cached')
  return program
}
