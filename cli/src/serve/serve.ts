/** Serves an application: starts the host, and prints the requests, log lines and errors of its components. */
import { dirname, resolve } from 'node:path'
import {
  AuditFileError,
  type Host,
  type HostOptions,
  loadRuntimeConfig,
  PortInUseError,
  RateLimitError,
  startHostProcess,
  StateDirInUseError,
  TelemetryError,
} from 'ftl-host'
import type { HostFlags } from '../commands/host-options.ts'
import { limitsOf } from '../commands/limit-options.ts'
import { ratesOf } from '../commands/rate-options.ts'
import { componentOutput } from '../output/component-output.ts'
import { checkAuthentication, requireUsableAuthentication } from '../doctor/authentication.ts'
import { type Finding, findingLines } from '../doctor/finding.ts'
import { problemsAtStart } from '../doctor/check-manifest.ts'
import { exposureWarning } from './exposure.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { logLines } from '../output/log-lines.ts'
import { isAddressInUse, portTaken } from './ports.ts'
import { isShown, type RequestChoice } from '../output/request-choice.ts'
import { readRecords, writeRecord } from '../running/record.ts'
import { stackLines } from '../output/stack-lines.ts'
import { enforcePins } from '../pinning/enforce.ts'
import { checkAdded } from '../registry/added-lock.ts'
import { announceLock, pinnedReloads } from '../pinning/pinned-reloads.ts'
import type { Application } from '../application/load-application.ts'
import { note } from '../terminal/terminal.ts'
import { line, prepareReporter } from '../terminal/ui.ts'

export interface ServeOptions {
  /** Ids of the components to serve. @default all */
  components?: readonly string[]
  /** Prints a line for people. @default to standard output */
  print?: (text: string) => void
  /** Shows the progress of preparing components. @default true */
  progress?: boolean
  /** Which requests are shown when no flag chooses. @default 'all' */
  requests?: RequestChoice
  /** Whether the application is developed: clients are then notified of changed lists. @default false */
  development?: boolean
  /** What is served instead of some components. @default nothing */
  overrides?: HostOptions['overrides']
  /** Whether requests are shown yet, so that a command can hide its own requests. @default always */
  ready?: () => boolean
}

export async function serve(
  application: Application,
  flags: Omit<HostFlags, 'from'>,
  {
    components,
    print = line,
    progress = true,
    requests = 'all',
    development,
    overrides,
    ready = () => true,
  }: ServeOptions = {},
): Promise<Host> {
  const { manifest, cacheFolder } = application
  const { listen, profile, stateDir, runtimeConfigFile, follow, quiet = false } = flags
  const lines = logLines(flags.logFormat)
  // An author changes components all the time.
  await checkAdded(manifest)
  const pins = development ? undefined : await enforcePins(application, flags.variable)
  const exposed = await exposureWarning(manifest, flags)
  if (exposed !== undefined) note(`ftl: ${exposed}`)
  await requireUsableAuthentication(manifest, flags)
  let host: Host | undefined
  let removeRecord = () => {}
  const outputOf = (id: string) => {
    const { folder, components } = host?.manifest ?? manifest
    const source = components.get(id)?.source
    return typeof source === 'string' ? resolve(folder, source) : undefined
  }
  const filter = { choice: quiet ? 'none' : (flags.requests ?? requests), follow } as const
  const onLog = componentOutput({
    components: components ?? [...manifest.components.keys()],
    follow,
    quiet,
    format: lines.output,
    logDir:
      flags.logDir ?? (runtimeConfigFile && (await loadRuntimeConfig(runtimeConfigFile)).logDir),
    truncate: flags.truncateLogs ?? false,
    rewrite: stackLines(outputOf),
    print,
  })
  try {
    host = await startHostProcess({
      manifest: manifest.file,
      listen,
      profile,
      platform: flags.platform,
      components,
      stateDir,
      runtimeConfigFile,
      variables: { ...flags.variable, ...pins?.variables },
      environment: flags.env,
      keyValues: flags.keyValue,
      cacheDir: cacheFolder,
      development,
      overrides: { ...overrides, ...pins?.overrides },
      trustedProxies: flags.trustedProxies,
      ...(await nativeSourcesOf(application, flags)),
      workerProgram: await ownWorkerProgram(),
      ...limitsOf(flags),
      ...ratesOf(flags),
      onProgress: progress ? prepareReporter() : undefined,
      onLog,
      // With request logging off, skip the hook and its byte counting.
      onRequest:
        filter.choice === 'none'
          ? undefined
          : (entry) => {
              if (ready() && isShown(entry, filter)) print(lines.request(entry))
            },
      onError: (entry) => print(lines.problem(entry)),
      onEnded: ({ message }) => {
        removeRecord()
        note(`ftl: ${message}`)
        process.exit(1)
      },
    })
    // The application runs with these problems, but tools may be missing, so print a line for each.
    if (flags.logFormat !== 'json' && components === undefined) {
      for (const found of problemsAtStart(host.manifest, flags.variable)) print(findingLines(found))
      for (const found of pins?.findings ?? []) print(findingLines(found))
      // An issuer that does not answer must not delay the start.
      void checkAuthentication(host.manifest, flags).then((found) => printProblems(found, print))
    }
    if (development) await announceLock(manifest.folder, print)
    else if (pins) pinnedReloads(host, application, flags.variable)
    removeRecord = writeRecord(dirname(manifest.file), host.url, development)
    return recorded(host, removeRecord)
  } catch (error) {
    if (error instanceof PortInUseError || isAddressInUse(error)) {
      throw portTaken('gateway', listen, '--listen')
    }
    const [running] = readRecords(dirname(manifest.file))
    if (error instanceof StateDirInUseError && running) {
      throw new CommandFailure(
        `this application is already served at ${running.url} (process ${running.pid}): stop that one first, ` +
          'or keep the state of this one elsewhere with --state-dir',
      )
    }
    if (
      error instanceof StateDirInUseError ||
      error instanceof TelemetryError ||
      error instanceof AuditFileError ||
      error instanceof RateLimitError
    ) {
      throw new CommandFailure(error.message)
    }
    throw error
  }
}

/** The same host, which also removes its record when it is closed: from then on `ftl call` must not find it. */
function recorded(host: Host, removeRecord: () => void): Host {
  const close = host.close.bind(host)
  host.close = () => {
    removeRecord()
    return close()
  }
  return host
}

function printProblems(findings: readonly Finding[], print: (text: string) => void): void {
  for (const found of findings) if (found.level !== 'ok') print(findingLines(found))
}

async function ownWorkerProgram(): Promise<string | undefined> {
  const { workerProgram } = await import('../build/worker-program.ts')
  return workerProgram()
}

/** Other platforms run these as they run any component, within their limits. */
async function nativeSourcesOf(
  { manifest }: Application,
  { sandboxedGateway = false, platform }: Pick<HostFlags, 'sandboxedGateway' | 'platform'>,
): Promise<Pick<HostOptions, 'nativeGateway' | 'nativeComponents'>> {
  if (sandboxedGateway || platform !== undefined) return {}
  const { nativeGateway } = await import('../build/native-gateway.ts')
  const { mayBeRemote, nativeRemote } = await import('../build/native-remote.ts')
  const hasRemote = [...manifest.components.values()].some(mayBeRemote)
  const [gateway, remote] = await Promise.all([nativeGateway(), hasRemote && nativeRemote()])
  return { nativeGateway: gateway.code, ...(remote && { nativeComponents: [remote.code] }) }
}
