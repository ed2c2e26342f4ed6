import { randomUUID } from 'node:crypto'
import { Command, Option } from 'commander'
import { buildComponents } from '../build/index.ts'
import { printWelcome } from '../welcome.ts'
import { bridgeService, type Service, simulatorService } from '../services.ts'
import { serve } from '../serve.ts'
import { untilSignal } from '../signals.ts'
import { type Application, loadApplication } from '../targets.ts'
import { buildReporter, line, paint } from '../ui.ts'
import { type HostFlags, withHostOptions } from './host-options.ts'
import { parsePort, parseSeconds } from './options.ts'

export interface StartFlags extends HostFlags {
  bridge: boolean
  bridgePort: number
  comfyui: boolean
  comfyuiPort: number
  renderSeconds: number
}

export function withStartOptions(command: Command): Command {
  return withHostOptions(command)
    .option('--bridge-port <port>', 'port of the WebSocket bridge', parsePort, 8001)
    .option('--no-bridge', 'leave the WebSocket bridge out')
    .option('--comfyui-port <port>', 'port of the ComfyUI simulator', parsePort, 8188)
    .option('--no-comfyui', 'leave the ComfyUI simulator out')
    .addOption(
      new Option('--render-seconds <n>', 'how long the simulator takes for an image')
        .default(3)
        .argParser(parseSeconds),
    )
}

export function startCommand(): Command {
  return withStartOptions(
    new Command('start').description('Build what changed and serve everything a developer needs'),
  ).action(async (flags: StartFlags) => {
    const application = await loadApplication(flags.from, [], flags)
    const { targets, cacheFolder } = application
    await buildComponents(targets, {
      cacheFolder,
      onEvent: buildReporter({ quietWhenCached: true }),
    })
    const running = await startEverything(application, flags)
    await untilSignal()
    line(paint('dim', '\nstopping'))
    await running.close()
  })
}

export interface Running {
  close(): Promise<void>
  /** Serves the application anew, after a build; bridge and simulator stay. */
  restartHost(): Promise<void>
}

/** Starts simulator, host and bridge, in the order in which they need each other; all or none. */
export async function startEverything(
  application: Application,
  flags: StartFlags,
): Promise<Running> {
  const started: Service[] = []
  const closeAll = async () => {
    for (const service of started.splice(0).reverse()) await service.close()
  }
  try {
    const comfyui = ownComfyui(flags)
    let simulator: Service | undefined
    if (flags.comfyui && comfyui === undefined) {
      simulator = await simulatorService(
        flags.comfyuiPort,
        application.stateFolder,
        flags.renderSeconds,
      )
      started.push(simulator)
    }
    // Empty, and not the manifest's default: workflows are then answered as they are, and nobody waits for a server.
    const comfyuiUrl = comfyui ?? simulator?.url ?? ''
    // One id for all jobs of this run: to ComfyUI it is the one client that hears of them.
    const comfyuiClientId = flags.bridge ? `ftl-${randomUUID()}` : undefined
    const variable = variables(application, flags, {
      comfyui_url: comfyuiUrl,
      comfyui_client_id: comfyuiClientId,
    })
    const hostFlags = { ...flags, variable }
    let welcomed = false
    const show = { requests: 'calls' as const, ready: () => welcomed }
    let host = await serve(application, hostFlags, show)
    started.push({ url: host.url, close: async () => host.close() })
    let bridge: Service | undefined
    if (flags.bridge) {
      bridge = await bridgeService(host.url, hostOf(flags.listen), flags.bridgePort, {
        comfyuiUrl: comfyuiUrl === '' ? undefined : comfyuiUrl,
        comfyuiClientId,
      })
      started.push(bridge)
    }
    await printWelcome({
      gateway: host.url,
      listen: flags.listen,
      bridge: bridge?.url,
      simulator: simulator?.url,
      comfyui,
    })
    welcomed = true
    return {
      close: closeAll,
      async restartHost() {
        // Port 0 took a free one, which must stay the same.
        const listen = flags.listen.replace(/\d+$/, new URL(host.url).port)
        await host.close()
        host = await serve(application, { ...hostFlags, listen }, show)
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** The bridge listens where the gateway does, so that whoever reaches one reaches the other. */
function hostOf(listen: string): string {
  return listen.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
}

/** Where the user's own ComfyUI is, if there is one. */
function ownComfyui({ variable }: StartFlags): string | undefined {
  const { COMFYUI_URL, SPIN_VARIABLE_COMFYUI_URL } = process.env
  return variable['comfyui_url'] ?? (COMFYUI_URL || SPIN_VARIABLE_COMFYUI_URL || undefined)
}

/** Only those the application has: any other would be refused as a mistake. */
function variables(
  { manifest }: Application,
  { bridgePort, variable }: StartFlags,
  services: Record<string, string | undefined>,
): Record<string, string> {
  const own = { ...services, bridge_url: bridgePort === 8001 ? undefined : `:${bridgePort}` }
  const known = Object.entries(own).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && manifest.variables.has(entry[0]),
  )
  return { ...Object.fromEntries(known), ...variable }
}
