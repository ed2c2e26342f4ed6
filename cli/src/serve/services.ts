/** Services that run beside the application on a developer's machine: bridge, ComfyUI simulator and demo model. */
import { join } from 'node:path'
import { DEMO_MODEL, startDemoModel } from '../demo-model/server.ts'
import type { BridgeStatus } from 'ftl-bridge/local'
import { CommandFailure } from '../terminal/failure.ts'
import { installCommand } from '../new/own-packages.ts'
import { bridgeRecord } from './choose-ports.ts'
import { isAddressInUse, portTaken } from './ports.ts'
import { note } from '../terminal/terminal.ts'
import { line, paint } from '../terminal/ui.ts'
import { visible } from '../terminal/visible-text.ts'

export interface Service {
  url: string
  close(): Promise<void>
}

export interface BridgeServiceOptions {
  /** The flag that chooses the port, for the error. @default '--bridge-port' */
  flag?: string
  /** URL of the ComfyUI whose live progress clients may watch. @default none */
  comfyuiUrl?: string | undefined
  /** Client id with which jobs are submitted to ComfyUI; previews need it. @default none */
  comfyuiClientId?: string | undefined
  /** Host names under which clients reach the bridge, besides localhost and IP addresses. @default none */
  allowedHosts?: readonly string[]
  /** Origins of pages that may use it, besides those of this machine and of the gateway. @default none */
  allowedOrigins?: readonly string[]
  /** Folder for the record of the process, with which the next start ends it if this one is killed. @default none */
  stateFolder?: string
  /** Called when the bridge cannot be started again after it ended, and when it runs again. */
  onAvailable?: (isAvailable: boolean) => void
}

export async function bridgeService(
  gatewayUrl: string,
  host: string,
  port: number,
  options: BridgeServiceOptions = {},
): Promise<Service> {
  const { flag = '--bridge-port', comfyuiUrl, comfyuiClientId } = options
  const { allowedHosts = [], allowedOrigins = [], stateFolder, onAvailable } = options
  const { startBridge } = await loadBridge()
  try {
    return await startBridge({
      gatewayUrl,
      host,
      port,
      allowedHosts,
      allowedOrigins,
      comfyuiUrls: comfyuiUrl === undefined ? undefined : { comfyui: comfyuiUrl },
      comfyuiClientId,
      // An empty folder keeps nothing: a file would be in the working directory.
      processFile: stateFolder ? bridgeRecord(stateFolder, port) : undefined,
      onOrphan: (pid) =>
        line(
          `Ended the WebSocket bridge that an earlier run has left on port ${port} (process ${pid}).`,
        ),
      onStatus(status, reason) {
        line(paint('yellow', bridgeStatus(status, reason)))
        if (status !== 'ended') onAvailable?.(status === 'running')
      },
      onLog: (text) => note(`bridge: ${visible(text.split('\n', 1)[0] ?? '')}`),
    })
  } catch (error) {
    if (isAddressInUse(error)) throw portTaken('WebSocket bridge', `${host}:${port}`, flag)
    if (error instanceof TypeError) throw new CommandFailure(error.message)
    throw error
  }
}

function bridgeStatus(status: BridgeStatus, reason = ''): string {
  switch (status) {
    case 'ended':
      return 'The WebSocket bridge ended unexpectedly. Starting it again.'
    case 'running':
      return 'The WebSocket bridge is running again.'
    case 'down':
      return `The WebSocket bridge cannot be started: ${reason}. The next attempts follow, at least every 30 s.`
  }
}

// A separate optional package, because it installs workerd.
async function loadBridge(): Promise<typeof import('ftl-bridge/local')> {
  try {
    return await import('ftl-bridge/local')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'ftl-bridge'")) throw error
    throw new CommandFailure(
      'the WebSocket bridge is a package of its own, which is not installed.\n' +
        `Run "${installCommand('ftl-bridge')}", or start without it: ftl start --no-bridge.`,
    )
  }
}

export async function simulatorService(
  port: number,
  stateFolder: string | undefined,
  renderSeconds: number,
  { host = '127.0.0.1', flag }: { host?: string; flag?: string } = {},
): Promise<Service> {
  const { startSimulator } = await import('ftl-comfyui/simulator')
  try {
    return await startSimulator({
      host,
      port,
      renderSeconds,
      ...(stateFolder !== undefined && { stateDir: join(stateFolder, 'comfyui-simulator') }),
    })
  } catch (error) {
    if (!isAddressInUse(error)) throw error
    if (flag !== undefined) throw portTaken('ComfyUI simulator', `${host}:${port}`, flag)
    throw new CommandFailure(
      `${host}:${port} is already in use, so the ComfyUI simulator cannot listen there.\n` +
        `If that is your ComfyUI, start with COMFYUI_URL=http://${host}:${port}; ` +
        'else choose another port with --comfyui-port, or leave the simulator out with --no-comfyui.',
    )
  }
}

/** Milliseconds between two words: slow enough that streaming is visible. */
const WORD_DELAY_MS = 30

/** Listens on any free port, because only the chat connects to it. */
export function demoModelService(): Promise<Service> {
  return startDemoModel({ wordDelayMs: WORD_DELAY_MS })
}

/** Variables that make the chat use the demo model; they override model settings of the environment. */
export function demoModelVariables(url: string): Record<string, string> {
  return { llm_url: url, llm_model: DEMO_MODEL, llm_api: 'openai', llm_path: '', llm_api_key: '' }
}
