/** The embedded host: an application of a `spin.toml`, served by this process. */
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { ErrorEntry, HostOptions, LocalHost, ReloadChanges } from './host-options.ts'
import { HOST_DEFAULTS } from './host-defaults.ts'
import { Activity } from './activity/activity.ts'
import { ActivityServer } from './activity/activity-server.ts'
import { AuditLog } from './audit/audit-log.ts'
import { killedRequests } from './audit/killed.ts'
import { collectAll } from './instance/discarded.ts'
import { rateLimitsOf, type RateLimits } from './limits/rate-limit-options.ts'
import { holdState, type State } from './kv/state.ts'
import { ENTRY_RULES, shareOf } from './kv/entry-rules.ts'
import { publicRoutes } from './manifest/application.ts'
import type { Manifest } from './manifest/manifest.ts'
import { checkPlatform, entryRulesOf, withPlatform } from './platforms/platforms.ts'
import { LostThreads, LostThreadsError } from './pool/lost-threads.ts'
import { Pool, type WorkerLost } from './pool/pool.ts'
import { workerProgramUrl } from './pool/worker-program.ts'
import { distrust } from './prepare/cache.ts'
import { idsBeside } from './prepare/choose-native.ts'
import { memoryLimitOf } from './prepare/prepare-ahead.ts'
import { type PreparedComponent, Programs } from './prepare/programs.ts'
import { type ApplicationSettings, readApplication } from './runtime-config/application-settings.ts'
import { loadRuntimeConfig } from './runtime-config/runtime-config.ts'
import { Retired } from './pool/retired.ts'
import type { RequestSink } from './requests/request-events.ts'
import { credentialRules } from './server/credential.ts'
import { frontLimits } from './server/front-limits.ts'
import { type ListenAddress, localHost, parseListenAddress } from './server/listen-address.ts'
import { Front, type Served } from './server/server.ts'
import type { Telemetry, TelemetryOptions } from './telemetry/otlp.ts'
import { Variables } from './variables/variables.ts'
import { readLogSettings, readTelemetry, type TelemetrySettings } from './telemetry/settings.ts'

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
export async function startHost(given: HostOptions): Promise<LocalHost> {
  const options = await withConfiguredLimits(given)
  return serveApplication(options, (changes) =>
    readApplication({ ...withPlatform(options), ...changes }),
  )
}

/** Reads the application that a host serves; called at the start and at each reload. */
export type ReadApplication = (changes: ReloadChanges) => Promise<ApplicationSettings>

/**
 * Like {@link startHost}, with an application that is read elsewhere.
 *
 * @param isAlone whether this process does nothing else: its garbage is collected whenever components were compiled, because
 *   no allocation follows soon that would have the files collected. Another program would stop for that. @default false
 */
export async function serveApplication(
  given: HostOptions,
  readGiven: ReadApplication,
  isAlone = false,
): Promise<LocalHost> {
  const options = withPlatform(given)
  const read: ReadApplication = async (changes) => {
    const application = await readGiven(changes)
    checkPlatform(application.manifest, options.platform)
    return application
  }
  const address = parseListenAddress(options.listen ?? HOST_DEFAULTS.listen)
  const application = await read({})
  const rates = rateLimitsOf(withDefaults(application.config.rateLimits, options))
  const { manifest, config } = application
  const settings = readTelemetry(options.env ?? process.env)
  const programs = new Programs({
    cacheDir: cacheFolder(options, manifest),
    memoryLimit: memoryLimitOf(options, config),
    nativeGateway: options.nativeGateway,
    nativeComponents: options.nativeComponents,
    onOtherVersion: (component) => options.onError?.({ component, message: OTHER_VERSION }),
    onProgress: options.onProgress,
    onGeneric: options.onGeneric,
    onPrepared: isAlone ? collectAll : undefined,
  })
  const folder = cacheFolder(options, manifest)
  const reason = distrust(folder)
  if (reason !== undefined) {
    const message = `the cache ${folder} is not used, so the start takes longer: ${reason}; remove the folder`
    options.onError?.({ component: 'host', message })
  }
  const prepared = await programs.prepareAll(manifest)
  const state = await holdState(application.state)
  let audit: AuditLog | undefined
  try {
    audit = await openAudit(options, application)
    return await serve({
      ...{ options, read, application, state, programs, prepared, address, settings },
      ...{ rates, audit },
    })
  } catch (error) {
    await audit?.close()
    state.release()
    throw error
  }
}

/** Behind the name of the component. */
const OTHER_VERSION =
  'was built by another version of ftl, so it runs in its sandbox, which is slower; build it again'

async function openAudit(
  options: HostOptions,
  { config, manifest }: ApplicationSettings,
): Promise<AuditLog | undefined> {
  const audit = withDefaults(config.audit, options)
  if (!audit.auditLog && !audit.auditOtlp) return undefined
  const onProblem = (message: string) => options.onError?.({ component: 'host', message })
  const settings = audit.auditOtlp ? readLogSettings(options.env ?? process.env) : undefined
  const to = settings && {
    settings,
    resource: (await import('./telemetry/otlp.ts')).resourceOf(manifest.application),
  }
  return AuditLog.open(audit, to, onProblem)
}

/** Options of the runtime configuration, where the caller gives no other. */
export function withDefaults<T extends object>(defaults: T, options: T): T {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(given) }
}

/**
 * The options with the limits of the runtime configuration, which hold until the host ends.
 *
 * @throws {ManifestError}
 */
export async function withConfiguredLimits<T extends HostOptions>(options: T): Promise<T> {
  const { runtimeConfigFile } = options
  if (runtimeConfigFile === undefined) return options
  const { limits } = await loadRuntimeConfig(runtimeConfigFile)
  return withDefaults<HostOptions>({ ...limits, manifest: options.manifest }, options) as T
}

interface Parts {
  options: HostOptions
  read: ReadApplication
  application: ApplicationSettings
  state: State
  programs: Programs
  prepared: PreparedComponent[]
  address: ListenAddress
  settings: TelemetrySettings | undefined
  rates: RateLimits
  audit: AuditLog | undefined
}

async function serve(parts: Parts): Promise<LocalHost> {
  const { options, read, application, state, programs, address, settings, rates, audit } = parts
  const { onError = () => {}, drainMs = 2000 } = options
  let { manifest } = application
  const activity: Activity = new Activity({
    application: manifest.application,
    folder: manifest.folder,
    components: manifest.components.keys(),
    instances: () => pool.instances,
    development: options.development ?? false,
  })
  const activityServer = new ActivityServer(activity)
  // A worker can be lost before telemetry starts, and telemetry needs the pool; so it is bound late.
  const late: { telemetry: Telemetry | undefined } = { telemetry: undefined }
  const lost = new LostThreads({
    max: options.maxLostThreads ?? HOST_DEFAULTS.maxLostThreads,
    onFatal: options.onFatal ?? endProcess,
  })
  const open = (to: ApplicationSettings, prepared: PreparedComponent[]) =>
    openPool({
      options,
      application: to,
      state,
      prepared,
      telemetry: () => late.telemetry,
      lost,
      audit,
      activity,
    })
  let pool = open(application, parts.prepared)
  const retired = new Retired()
  const telemetry = await startTelemetry(settings, {
    application: manifest.application,
    onProblem: (message) => onError({ component: 'host', message }),
    running: () => pool.running + retired.running,
    instances: () => pool.instances,
  })
  late.telemetry = telemetry
  try {
    await pool.start()
    const front = new Front({
      ...servedBy(pool, application),
      sinks: sinksOf(options, { telemetry, activity, audit }),
      activity: activityServer,
      onError,
      limits: frontLimits(options),
      fromComponents: options.simulation !== undefined,
      gate: { rates, audit },
    })
    audit?.onTick(() => front.tick())
    const bound = await front.listen(address)
    const self = { host: localHost(bound.address), port: bound.port }
    pool.listensAt(self)
    const host = self.host.includes(':') ? `[${self.host}]` : self.host
    const reload = async (changes: ReloadChanges) => {
      const next = await read(changes)
      const successor = open(next, await programs.prepareAll(next.manifest))
      successor.listensAt(self)
      await successor.start()
      front.serve(servedBy(successor, next))
      retired.take(pool)
      pool = successor
      manifest = next.manifest
      activity.serve(manifest.components.keys())
    }
    let reloading: Promise<unknown> = Promise.resolve()
    let closed = false
    return {
      url: `http://${host}:${bound.port}`,
      get manifest() {
        return manifest
      },
      get routes() {
        return publicRoutes(manifest)
      },
      get running() {
        return pool.running + retired.running
      },
      reload: async (changes = {}) => {
        const turn = reloading.then(() => {
          if (closed) throw new Error('the host is closed')
          return reload(changes)
        })
        reloading = turn.catch(() => {})
        return turn
      },
      close: async () => {
        closed = true
        const deadline = performance.now() + drainMs
        await reloading
        activityServer.close()
        pool.announceStop()
        retired.announceStop()
        await front.close(drainMs)
        // Closing the connections does not wait for work after the response (waitUntil).
        while (performance.now() < deadline && pool.running + retired.running > 0) {
          await new Promise((wake) => setTimeout(wake, 10))
        }
        await Promise.all([pool.close(), retired.close()])
        front.tick(true)
        const audited = audit?.close()
        state.release()
        await Promise.all([audited, telemetry?.close()])
        if (lost.count > 0) throw new LostThreadsError(`${lost.describe()}: end the process`)
      },
    }
  } catch (error) {
    await pool.close()
    await telemetry?.close()
    throw error
  }
}

/** Where events of requests go. Telemetry is first: the activity's spans continue its trace. */
function sinksOf(
  { onRequest }: HostOptions,
  { telemetry, activity, audit }: { telemetry?: Telemetry; activity: Activity; audit?: AuditLog },
): RequestSink[] {
  return [
    ...(telemetry ? [telemetry] : []),
    activity,
    ...(audit ? [killedRequests((about) => audit.killed(about))] : []),
    ...(onRequest ? [{ ended: onRequest }] : []),
  ]
}

/** Starts telemetry where it is configured; only then OpenTelemetry's SDK is loaded. */
async function startTelemetry(
  settings: TelemetrySettings | undefined,
  options: Omit<TelemetryOptions, 'settings'>,
): Promise<Telemetry | undefined> {
  if (!settings) return undefined
  const { Telemetry } = await import('./telemetry/otlp.ts')
  return Telemetry.start({ settings, ...options })
}

function servedBy(pool: Pool, { manifest, variables: values }: ApplicationSettings): Served {
  const variables = new Variables(onlyUsedVariables(manifest, values), {
    overrides: values,
    folders: [],
  })
  return {
    manifest,
    credentialRules: credentialRules(manifest, (component, name) => variables.get(component, name)),
    pageLists: (component) => {
      const own = manifest.components.get(component)?.variables ?? {}
      if (!Object.hasOwn(own, 'allowed_origins')) return undefined
      // Their values do not change while the application is served, so one that is missing stays so.
      const value = (name: string) =>
        Object.hasOwn(own, name) ? variables.get(component, name) : ''
      return { origins: value('allowed_origins'), hosts: value('allowed_hosts') }
    },
    dispatch: (component, request, watch, sender) =>
      pool.dispatch(component, request, watch, sender),
  }
}

interface PoolParts extends Pick<Parts, 'options' | 'application' | 'state' | 'audit'> {
  prepared: PreparedComponent[]
  telemetry: () => Telemetry | undefined
  lost: LostThreads
  activity: Activity
}

// Ends with SIGKILL, because `process.exit` waits for the threads.
function endProcess(error: Error): void {
  if (process.listenerCount('uncaughtException') > 0) throw error
  writeSync(2, `${error.message}\n`)
  process.kill(process.pid, 'SIGKILL')
}

function openPool(parts: PoolParts): Pool {
  const { options, application, state, prepared, telemetry, lost, audit, activity } = parts
  const { manifest, variables } = application
  const { onError = () => {}, onLog = () => {} } = options
  const maxInstances = options.maxInstances ?? HOST_DEFAULTS.maxInstances
  const workers = Math.min(options.workers ?? availableParallelism(), maxInstances)
  return new Pool({
    settings: {
      manifest: onlyUsedVariables(manifest, variables),
      programs: prepared,
      variables,
      devBuild: options.development ? randomUUID() : undefined,
      devVariables: application.devVariables,
      stores: state.stores,
      storeLimits: state.limits,
      entryRules: shareOf(entryRulesOf(options.platform) ?? ENTRY_RULES, workers),
      audited: audit !== undefined,
      auditRequired: audit?.required === true,
      maxInstances,
      maxCalledInstances: Math.floor(maxInstances / workers),
      abandonedMs: options.abandonedMs ?? HOST_DEFAULTS.abandonedMs,
      maxChainDepth: options.maxChainDepth ?? HOST_DEFAULTS.maxChainDepth,
      limits: {
        hostBytes: options.maxHostMemory ?? HOST_DEFAULTS.maxHostMemory,
        outputBytes: options.maxOutputBytes ?? HOST_DEFAULTS.maxOutputBytes,
      },
      outputRate: (options.maxOutputRate ?? HOST_DEFAULTS.maxOutputRate) / workers,
      imports: options.workerImports ?? [],
      codeCacheDir: codeCacheFolder(cacheFolder(options, manifest)),
      traced: true,
      self: undefined,
      simulation: options.simulation,
    },
    workers,
    program: workerProgramUrl(options),
    maxWorkerHeap: options.maxWorkerHeap ?? HOST_DEFAULTS.maxWorkerHeap,
    maxBlockingMs: options.maxBlockingMs ?? HOST_DEFAULTS.maxBlockingMs,
    quarantineMs: options.quarantineMs ?? HOST_DEFAULTS.quarantineMs,
    requestTimeoutMs: options.requestTimeoutMs ?? HOST_DEFAULTS.requestTimeoutMs,
    beside: idsBeside(prepared),
    maxRequests: options.maxRequests ?? HOST_DEFAULTS.maxRequests,
    onLog,
    onAudit: (line) => audit?.take(line) ?? true,
    onAnswered: (lines) => audit?.takeTogether(lines),
    onProblem: (entry) => {
      activity.notice(entry.component, entry.message)
      onError(entry)
    },
    onWorkerLost: (lost) => {
      const { component, message } = describeLoss(lost)
      activity.notice(component, message)
      telemetry()?.workerLost(lost.component)
      if (options.onWorkerLost) options.onWorkerLost(lost)
      else onError(describeLoss(lost))
    },
    counting: true,
    lost,
  })
}

// A variable that no component uses has no value in a thread, so it may not be required there.
function onlyUsedVariables(manifest: Manifest, values: Readonly<Record<string, string>>): Manifest {
  const used = [...manifest.variables].filter(([name]) => Object.hasOwn(values, name))
  return { ...manifest, variables: new Map(used) }
}

function describeLoss(lost: WorkerLost): ErrorEntry {
  const { reason, component = 'host', path, repeated, failed, replacedAfterMs, quarantined } = lost
  const again = repeated === 1 ? '1 request was' : `${repeated} requests were`
  const where = path === undefined ? '' : ` while it answered ${path.replace(/\?.*$/s, '')}`
  return {
    component,
    message:
      `a worker was lost${where}: ${reason}; ${again} sent again, ${failed} failed, ` +
      `replaced after ${Math.round(replacedAfterMs)} ms` +
      (quarantined ? '; requests of this component now run on a worker of their own' : ''),
  }
}

/** Matches `host-*`, like the prepared modules: the host process may write nothing else there. */
const CODE_CACHE = 'host-code'

export function codeCacheFolder(cacheDir: string): string | undefined {
  return distrust(cacheDir) === undefined ? join(cacheDir, CODE_CACHE) : undefined
}

export function cacheFolder({ cacheDir }: HostOptions, { folder }: Manifest): string {
  return cacheDir ?? join(folder, '.ftl', 'cache')
}
