/** Runs a host in a separate process, which has only the permissions that serving the application needs. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AuditFileError } from '../audit/audit-file.ts'
import { cacheFolder, codeCacheFolder, withConfiguredLimits, withDefaults } from '../host.ts'
import { withPlatform } from '../platforms/platforms.ts'
import type { Host, HostOptions } from '../host-options.ts'
import { makePrivate } from '../kv/private-folder.ts'
import { publicRoutes } from '../manifest/application.ts'
import { ManifestError } from '../manifest/manifest.ts'
import {
  type ApplicationSettings,
  readApplication,
} from '../runtime-config/application-settings.ts'
import { LostThreadsError } from '../pool/lost-threads.ts'
import { workerProgramUrl } from '../pool/worker-program.ts'
import {
  beyond,
  hasPermissions,
  hostEnvironment,
  permissionFlags,
  stateFolders,
  telemetryEnvironment,
} from './permissions.ts'
import { EVENTS, type FromHost, fromWire, type PlainOptions, type ToHost } from './messages.ts'

/** The entry is beside this file, also where the package is built to JavaScript. */
const ENTRY = fileURLToPath(new URL(`./entry${import.meta.url.slice(-3)}`, import.meta.url))

/** Milliseconds the process has to end, in addition to those of its requests; then it is killed. */
const CLOSE_MS = 5000

/** The process that runs guests ended unexpectedly. */
export class HostEndedError extends Error {
  override readonly name = 'HostEndedError'
}

export interface HostProcessOptions extends HostOptions {
  /** Called when the process ended, so nothing is served any more. */
  onEnded: (error: HostEndedError) => void
}

/**
 * Like {@link startHost}, in a process under Node's permission model: it may read the application and the host's code,
 * write state and cache, and may not start programs. Threads that do not end are killed with the process.
 *
 * @throws {ManifestError} {@link PrepareError} {@link MissingVariablesError} {@link PortInUseError}
 * {@link TelemetryError} {@link StateDirInUseError}
 */
export async function startHostProcess(given: HostProcessOptions): Promise<Host> {
  const options = withPlatform(await withConfiguredLimits(given))
  let application = absolute(await readApplication(options))
  const first = application
  const cacheDir = resolve(cacheFolder(options, application.manifest))
  const audit = auditFile(options, application)
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'ftl-host-')))
  const removeTemporary = () => rmSync(temporary, { recursive: true, force: true })
  process.once('exit', removeTemporary)
  let running: HostProcess
  try {
    // Created now, because Node's permissions do not cover a folder that is created later.
    mkdirSync(cacheDir, { recursive: true, mode: 0o755 })
    for (const folder of stateFolders(application))
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (application.state.stateDir !== '') makePrivate(application.state.stateDir)
    running = new HostProcess(options, {
      env: hostEnvironment(temporary),
      flags: flagsFor({ options, application, cacheDir, temporary, audit }),
    })
    void running.exited.then(() => {
      removeTemporary()
      process.off('exit', removeTemporary)
    })
    const events = EVENTS.filter((name) => options[name] !== undefined)
    running.send({
      type: 'start',
      options: { ...plain(options, cacheDir), ...(audit !== undefined && { auditLog: audit }) },
      application,
      codeCacheDir: codeCacheFolder(cacheDir),
      events,
    })
  } catch (error) {
    removeTemporary()
    throw error
  }
  const url = await running.ready
  return {
    url,
    get manifest() {
      return application.manifest
    },
    get routes() {
      return publicRoutes(application.manifest)
    },
    reload: async (changes = {}) => {
      const next = absolute(await readApplication({ ...options, ...changes }))
      const path = beyond(first, next)
      if (path !== undefined) {
        const reason = `names ${path}, which the running process may not read; end it and start it again`
        throw new ManifestError(next.manifest.file, '', reason)
      }
      await running.reload(next)
      application = next
    },
    close: () => running.close((options.drainMs ?? 2000) + CLOSE_MS),
  }
}

interface FlagParts {
  options: HostOptions
  application: ApplicationSettings
  cacheDir: string
  temporary: string
  audit: string | undefined
}

/** Absolute, so that both processes use the same file. */
function auditFile(options: HostOptions, { config }: ApplicationSettings): string | undefined {
  const { auditLog = '' } = withDefaults(config.audit, options)
  if (auditLog === '') return undefined
  const path = resolve(auditLog)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new AuditFileError(`the audit log ${path} cannot be used: it is a folder`)
  }
  return path
}

function flagsFor({ options, ...access }: FlagParts): string[] {
  const memory = process.execArgv.filter((flag) => flag.startsWith('--max-'))
  if (!hasPermissions()) {
    const message =
      'this Node has no permission model: guests run in a process with all your rights'
    options.onError?.({ component: 'host', message })
    return memory
  }
  const env = hostEnvironment(access.temporary)
  const program = workerProgramUrl(options)
  const imports = [...(options.workerImports ?? []), ...(program === undefined ? [] : [program])]
  return [...memory, ...permissionFlags({ ...access, env, imports })]
}

/** Makes paths absolute, so that both processes use the same folders, wherever they were started. */
function absolute(application: ApplicationSettings): ApplicationSettings {
  const { stateDir } = application.state
  const state = {
    ...application.state,
    stateDir: stateDir === '' ? '' : resolve(stateDir),
    // The process that runs guests ignores signals, so a user must end the command instead.
    pid: process.pid,
  }
  return { ...application, state }
}

function plain(options: HostProcessOptions, cacheDir: string): PlainOptions {
  // Values of variables, stores and the environment are in the application's settings.
  const { variables: _, environment: __, keyValues: ___, overrides: ____, ...rest } = options
  const data = Object.entries(rest).filter(([, value]) => typeof value !== 'function')
  const env = telemetryEnvironment(options.env ?? process.env)
  return { ...Object.fromEntries(data), manifest: options.manifest, cacheDir, env }
}

class HostProcess {
  readonly ready: Promise<string>
  readonly exited: Promise<void>
  readonly #options: HostProcessOptions
  readonly #child: ChildProcess
  readonly #ready = Promise.withResolvers<string>()
  readonly #closed = Promise.withResolvers<void>()
  /** Pending reloads, in order. */
  readonly #reloads: PromiseWithResolvers<void>[] = []
  #serving = false
  #closing = false
  #fatal = false

  constructor(
    options: HostProcessOptions,
    { env, flags }: { env: NodeJS.ProcessEnv; flags: string[] },
  ) {
    this.#options = options
    this.ready = this.#ready.promise
    this.#child = fork(ENTRY, [], {
      env,
      execArgv: flags,
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child.on('message', (message: FromHost) => this.#receive(message))
    this.exited = new Promise((resolve) => {
      this.#child.once('error', (error) => this.#end(error.message, resolve))
      this.#child.once('exit', (code, signal) => {
        this.#end(signal === null ? `exit code ${code}` : signal, resolve)
      })
    })
    this.ready.catch(() => {})
  }

  send(message: ToHost): void {
    // If it cannot be sent, the process has ended, which `onEnded` reports.
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  reload(application: ApplicationSettings): Promise<void> {
    if (this.#closing || !this.#child.connected) throw new Error('the host is closed')
    const waiting = Promise.withResolvers<void>()
    this.#reloads.push(waiting)
    this.send({ type: 'reload', application })
    return waiting.promise
  }

  async close(withinMs: number): Promise<void> {
    this.#closing = true
    this.send({ type: 'close' })
    const timer = setTimeout(() => this.#closed.resolve(), withinMs)
    await Promise.race([this.#closed.promise, this.exited])
    clearTimeout(timer)
    // All data is written. `process.exit` would also wait for threads that do not end.
    this.#child.kill('SIGKILL')
    await this.exited
  }

  #receive(message: FromHost): void {
    if (message.type === 'events') {
      for (const [name, entry] of message.events) this.#options[name]?.(entry as never)
    } else if (message.type === 'ready') {
      this.#serving = true
      this.#ready.resolve(message.url)
    } else if (message.type === 'failed') {
      this.#closing = true
      this.#ready.reject(fromWire(message.error))
      this.#child.kill('SIGKILL')
    } else if (message.type === 'reloaded') {
      const waiting = this.#reloads.shift()
      if (message.error) waiting?.reject(fromWire(message.error))
      else waiting?.resolve()
    } else if (message.type === 'fatal') {
      this.#fatal = true
      const error = fromWire(message.error)
      if (this.#options.onFatal && error instanceof LostThreadsError) this.#options.onFatal(error)
      else this.#options.onEnded(new HostEndedError(error.message))
    } else this.#closed.resolve()
  }

  #end(how: string, settle: () => void): void {
    settle()
    const error = new HostEndedError(
      `the process that runs the components has ended (${how}); nothing is served any more`,
    )
    this.#ready.reject(error)
    for (const waiting of this.#reloads.splice(0)) waiting.reject(error)
    if (this.#serving && !this.#closing && !this.#fatal) this.#options.onEnded(error)
  }
}
