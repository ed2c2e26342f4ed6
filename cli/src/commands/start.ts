import { randomUUID } from 'node:crypto'
import { Command, Option } from 'commander'
import { collectAll, type HostOptions } from 'ftl-host'
import { activityPlace } from '../activity/activity-address.ts'
import {
  addressVariables,
  type ComfyuiAddress,
  comfyuiProblem,
  readComfyuiAddress,
} from '../comfyui-server/address.ts'
import { updateCatalog } from '../dev/update-catalog.ts'
import { buildAll } from '../foreign/build-application.ts'
import { printWelcome } from '../welcome/welcome.ts'
import { CommandFailure } from '../terminal/failure.ts'
import {
  bridgeService,
  demoModelService,
  demoModelVariables,
  type Service,
  simulatorService,
} from '../serve/services.ts'
import { bridgeRecord, choosePorts, type Listener } from '../serve/choose-ports.ts'
import { serve } from '../serve/serve.ts'
import { runUntilSignal } from '../serve/signals.ts'
import { type Application, loadApplication } from '../application/load-application.ts'
import { buildReporter, line, paint } from '../terminal/ui.ts'
import { withHelpAll } from './help.ts'
import { type HostFlags, withHostOptions } from './host-options.ts'
import { GROUPS } from './option-groups.ts'
import { parsePort, parseSeconds } from './options.ts'

export interface StartFlags extends HostFlags {
  bridge: boolean
  /** @default 8001 */
  bridgePort?: number
  comfyui: boolean
  /** @default 8188 */
  comfyuiPort?: number
  renderSeconds: number
  /** @default false */
  demoModel?: boolean
}

const BRIDGE_PORT = 8001
const COMFYUI_PORT = 8188

/** The options of `ftl start`, besides those for serving. */
export function withServiceOptions(command: Command): Command {
  const port = (flags: string, text: string, usual: number) =>
    new Option(flags, text)
      .default(undefined, String(usual))
      .argParser(parsePort)
      .helpGroup(GROUPS.services)
  return command
    .option('--no-bridge', 'do not start the WebSocket bridge')
    .addOption(
      port(
        '--bridge-port <port>',
        'port of the WebSocket bridge, which starts with this option, and if `spin.toml` has the variable `bridge_url` and its value is not `off`',
        BRIDGE_PORT,
      ),
    )
    .option('--no-comfyui', 'do not start the ComfyUI simulator')
    .addOption(
      port(
        '--comfyui-port <port>',
        'port of the ComfyUI simulator, which starts if `spin.toml` has the variable `comfyui_url`',
        COMFYUI_PORT,
      ),
    )
    .addOption(
      new Option('--render-seconds <n>', 'how long the simulator takes for an image')
        .default(3)
        .argParser(parseSeconds)
        .helpGroup(GROUPS.services),
    )
    .option(
      '--demo-model',
      'start a simple rule-based model for the chat, if `spin.toml` has the variable `llm_url`',
    )
}

export const withStartOptions = (command: Command): Command =>
  withHelpAll(withHostOptions(withServiceOptions(command)))

const EXAMPLES = `
Examples:
  ftl start                                     build what changed, and serve everything
  COMFYUI_URL=http://gpu:8188 ftl start         with your own ComfyUI
  ftl start --demo-model                        with a chat that needs no model
  ftl start --no-comfyui --no-bridge            only the application
  ftl start --listen 127.0.0.1:4000 --variable call_timeout_ms=60000`

export function startCommand(): Command {
  return withStartOptions(
    new Command('start')
      .description('Build what changed and serve everything a developer needs')
      .addHelpText('after', EXAMPLES),
  ).action(async (given: StartFlags, command: Command) => {
    const application = await loadApplication(given.from, [], given)
    const flags = await withFreePorts(application, given, command)
    await buildAll(application, { onEvent: buildReporter({ quietWhenCached: true }) })
    // What has built takes 100 MB, and nothing is built any more.
    const { endBundler } = await import('../build/end-bundler.ts')
    await endBundler()
    collectAll()
    await runUntilSignal(
      () => startEverything(application, flags),
      () => line(paint('dim', '\nstopping')),
    )
  })
}

/**
 * The same flags with ports that are free. A port that the user has named stays as it is.
 *
 * @throws {CommandFailure} before anything is built, when a named port is in use.
 */
export async function withFreePorts<Flags extends StartFlags>(
  application: Application,
  flags: Flags,
  command: Pick<Command, 'getOptionValueSource'>,
): Promise<Flags> {
  const uses = usedServices(application, flags)
  const { bridgePort = BRIDGE_PORT, comfyuiPort = COMFYUI_PORT, listen } = flags
  const host = listen.replace(/:\d+$/, '')
  const isChosen = (name: string) => command.getOptionValueSource(name) !== 'default'
  const hasSimulator = uses.comfyui && flags.comfyui && !ownComfyui(flags)
  const listeners: Record<'listen' | 'bridge' | 'comfyui', Listener | undefined> = {
    listen: { what: 'gateway', address: listen, flag: '--listen', isChosen: isChosen('listen') },
    bridge: uses.bridge
      ? {
          what: 'WebSocket bridge',
          address: `${host}:${bridgePort}`,
          flag: '--bridge-port',
          isChosen: flags.bridgePort !== undefined,
          record: bridgeRecord(flags.stateDir ?? application.stateFolder, bridgePort),
        }
      : undefined,
    comfyui: hasSimulator
      ? {
          what: 'ComfyUI simulator',
          address: `127.0.0.1:${comfyuiPort}`,
          flag: '--comfyui-port',
          isChosen: flags.comfyuiPort !== undefined,
          hint: ` If a ComfyUI listens there, use it with COMFYUI_URL=http://127.0.0.1:${comfyuiPort}.`,
        }
      : undefined,
  }
  const wanted = Object.entries(listeners).filter(
    (entry): entry is [keyof typeof listeners, Listener] => entry[1] !== undefined,
  )
  const { addresses, notes } = await choosePorts(wanted.map(([, listener]) => listener))
  for (const text of notes) line(paint('yellow', `  ${text}`))
  const portOf = (name: keyof typeof listeners) => {
    const at = wanted.findIndex(([each]) => each === name)
    return at < 0 ? undefined : Number(addresses[at]?.replace(/^.*:/, ''))
  }
  return {
    ...flags,
    listen: addresses[0] ?? listen,
    bridgePort: portOf('bridge') ?? flags.bridgePort,
    comfyuiPort: portOf('comfyui') ?? flags.comfyuiPort,
  }
}

export interface Running {
  close(): Promise<void>
  /** Serves the changed application; no connection is refused, and bridge and simulator keep running. */
  reload(application: Application, overrides?: HostOptions['overrides']): Promise<void>
}

/**
 * Starts simulator, host and bridge in the order of their dependencies. If one fails, closes all of them.
 *
 * @param development whether the application will be reloaded: clients are then notified of changed lists.
 * @param overrides what stands in for components that do not build.
 */
export async function startEverything(
  application: Application,
  given: StartFlags,
  { development = false, overrides }: Pick<HostOptions, 'development' | 'overrides'> = {},
): Promise<Running> {
  const started: Service[] = []
  const closeAll = async () => {
    for (const service of started.splice(0).reverse()) await service.close()
  }
  try {
    const uses = usedServices(application, given)
    const own = uses.comfyui ? ownComfyui(given) : undefined
    const { comfyui, isList, flags, variables: ofComfyui } = splitAddress(application, given, own)
    let simulator: Service | undefined
    if (uses.comfyui && flags.comfyui && comfyui === undefined) {
      simulator = await simulatorService(
        flags.comfyuiPort ?? COMFYUI_PORT,
        application.stateFolder,
        flags.renderSeconds,
      )
      started.push(simulator)
    }
    // Empty instead of the manifest's default, so that tools return the workflow instead of waiting for a server.
    const comfyuiUrl = comfyui?.origin ?? simulator?.url ?? ''
    // One id for all jobs of this run, because ComfyUI sends events of a job only to the client that submitted it.
    const comfyuiClientId = uses.bridge ? `ftl-${randomUUID()}` : undefined
    const model = flags.demoModel ? await demoModelFor(application, flags) : undefined
    if (model) started.push(model)
    const services: Record<string, string | undefined> = {
      ...ofComfyui,
      comfyui_url: comfyuiUrl,
      comfyui_client_id: comfyuiClientId,
      bridge_url: bridgeAddress(application, flags, uses.bridge),
      ...(model && demoModelVariables(model.url)),
    }
    const variable = variables(application, flags, services)
    const hostFlags = { ...flags, variable }
    const problem = comfyui && !isList ? comfyuiProblem(comfyui, typedComfyui) : undefined
    let welcomed = false
    const show = { requests: 'calls' as const, ready: () => welcomed }
    const host = await serve(application, hostFlags, { ...show, development, overrides })
    let served = application
    let standIns = overrides
    const reload = async (changed: Application, overrides = standIns) => {
      served = changed
      standIns = overrides
      await host.reload({ variables: variables(changed, flags, services), overrides })
      if (development) void updateCatalog(host.url)
    }
    started.push({ url: host.url, close: async () => host.close() })
    let bridge: Service | undefined
    if (uses.bridge) {
      const port = flags.bridgePort ?? BRIDGE_PORT
      bridge = await bridgeService(host.url, hostOf(flags.listen), port, {
        // The bridge has no credentials: jobs behind a proxy that asks for them have no live steps.
        comfyuiUrl:
          comfyuiUrl === '' || comfyui?.auth ? undefined : comfyuiUrl + (comfyui?.path ?? ''),
        comfyuiClientId,
        ...bridgeAccess(application, flags),
        stateFolder: flags.stateDir ?? application.stateFolder,
        onAvailable(isAvailable) {
          services['bridge_url'] = isAvailable ? bridgeAddress(application, flags, true) : 'down'
          void reload(served).catch(reportReload)
        },
      })
      started.push(bridge)
    }
    await printWelcome({
      gateway: host.url,
      bridge: bridge?.url,
      simulator: simulator?.url,
      comfyui: comfyui && { ...comfyui, problem: await problem },
      page: application.manifest.components.has('web'),
      demoModel: model?.url,
      activity: activityPlace(host),
    })
    welcomed = true
    return {
      close: closeAll,
      reload,
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Services whose variable the application has, or whose port was given. */
function usedServices(
  { manifest }: Application,
  flags: StartFlags,
): { comfyui: boolean; bridge: boolean } {
  const asked = (name: string, port: number | undefined) =>
    manifest.variables.has(name) || port !== undefined
  const isOff = flags.bridgePort === undefined && givenBridge({ manifest }, flags) === 'off'
  return {
    comfyui: asked('comfyui_url', flags.comfyuiPort),
    bridge: flags.bridge && !isOff && asked('bridge_url', flags.bridgePort),
  }
}

/** What the command line, the environment or the manifest says. */
const givenBridge = (
  { manifest }: Pick<Application, 'manifest'>,
  { variable }: Pick<StartFlags, 'variable'>,
): string | undefined =>
  variable['bridge_url'] ??
  process.env['SPIN_VARIABLE_BRIDGE_URL'] ??
  manifest.variables.get('bridge_url')?.default

/** @throws {CommandFailure} when the application has no chat, or `--variable` names another model. */
function demoModelFor({ manifest }: Application, { variable }: StartFlags): Promise<Service> {
  if (!manifest.variables.has('llm_url')) {
    throw new CommandFailure('--demo-model is for a chat, and spin.toml has no variable llm_url.')
  }
  if (variable['llm_url'] !== undefined) {
    throw new CommandFailure('--demo-model sets llm_url itself: leave one of the two out.')
  }
  return demoModelService()
}

/** The bridge listens on the gateway's host, so that every client that can reach one can reach the other. */
function hostOf(listen: string): string {
  return listen.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
}

/** The gateway's lists, so that every client that may use the gateway may use the bridge. */
function bridgeAccess({ manifest }: Application, { variable }: StartFlags) {
  const list = (name: string) => {
    const text =
      variable[name] ??
      process.env[`SPIN_VARIABLE_${name.toUpperCase()}`] ??
      manifest.variables.get(name)?.default
    return (text ?? '').split(',').filter((entry) => entry.trim() !== '')
  }
  return {
    // Without the port, because the bridge has another one.
    allowedHosts: list('allowed_hosts').map((entry) => entry.trim().replace(/:\d+$/, '')),
    allowedOrigins: list('allowed_origins'),
  }
}

/** The value of `bridge_url` while the bridge runs; `undefined` leaves it to the manifest and the environment. */
function bridgeAddress(
  application: Application,
  flags: StartFlags,
  started: boolean,
): string | undefined {
  const { bridgePort = BRIDGE_PORT } = flags
  const given = givenBridge(application, flags)
  if (started) return bridgePort === BRIDGE_PORT && given !== 'off' ? undefined : `:${bridgePort}`
  // Without a bridge, clients must not be sent to the default address.
  return given ? undefined : 'off'
}

function reportReload(error: unknown): void {
  line(paint('red', `Clients still get the address of the bridge: ${(error as Error).message}`))
}

/** `COMFYUI_URL`: ComfyUI server for `ftl start` and `ftl dev`, as the variable `comfyui_url`; no simulator starts then. */
function ownComfyui({ variable }: StartFlags): string | undefined {
  const { COMFYUI_URL, SPIN_VARIABLE_COMFYUI_URL } = process.env
  return variable['comfyui_url'] ?? (COMFYUI_URL || SPIN_VARIABLE_COMFYUI_URL || undefined)
}

const typedComfyui = (url: string) => `COMFYUI_URL=${url} ftl start`

function splitAddress({ manifest }: Application, flags: StartFlags, text: string | undefined) {
  // Several servers, or none.
  if (!text || text.includes(',')) {
    const comfyui: ComfyuiAddress | undefined = text ? { origin: text, path: '' } : undefined
    return { flags, comfyui, isList: true, variables: {} }
  }
  const comfyui = readComfyuiAddress(text, typedComfyui)
  const variables = addressVariables(comfyui, manifest.variables)
  const { comfyui_url: _, ...variable } = flags.variable
  const auth = comfyui.auth ?? variable['comfyui_auth'] ?? process.env['SPIN_VARIABLE_COMFYUI_AUTH']
  const whole: ComfyuiAddress = { ...comfyui, ...(auth && { auth }) }
  return { flags: { ...flags, variable }, comfyui: whole, isList: false, variables }
}

/** Only variables of the application, because the host refuses unknown ones. */
function variables(
  { manifest }: Application,
  { variable }: StartFlags,
  services: Record<string, string | undefined>,
): Record<string, string> {
  const known = Object.entries(services).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && manifest.variables.has(entry[0]),
  )
  return { ...Object.fromEntries(known), ...variable }
}
