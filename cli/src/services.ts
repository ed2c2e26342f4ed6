/**
 * What stands beside the application on a developer's machine: the bridge and the ComfyUI simulator.
 *
 * @module
 */
import { startBridge } from 'ftl-bridge/local'
import { startSimulator } from 'ftl-comfyui/simulator'
import { join } from 'node:path'
import { CommandFailure, isAddressInUse } from './failure.ts'
import { portTaken } from './serve.ts'

export interface Service {
  url: string
  close(): Promise<void>
}

export interface BridgeServiceOptions {
  /** The flag that chooses the port, for the error. @default '--bridge-port' */
  flag?: string
  /** Whose live progress clients may watch. @default none */
  comfyuiUrl?: string | undefined
  /** The id jobs are submitted under, which previews need. @default none */
  comfyuiClientId?: string | undefined
}

export async function bridgeService(
  gatewayUrl: string,
  host: string,
  port: number,
  { flag = '--bridge-port', comfyuiUrl, comfyuiClientId }: BridgeServiceOptions = {},
): Promise<Service> {
  try {
    return await startBridge({
      ...{ gatewayUrl, host, port },
      ...(comfyuiUrl !== undefined && { comfyuiUrls: { comfyui: comfyuiUrl } }),
      ...(comfyuiClientId !== undefined && { comfyuiClientId }),
    })
  } catch (error) {
    if (isAddressInUse(error)) throw portTaken('WebSocket bridge', `${host}:${port}`, flag)
    throw error
  }
}

export async function simulatorService(
  port: number,
  stateFolder: string,
  renderSeconds: number,
): Promise<Service> {
  const host = '127.0.0.1'
  try {
    return await startSimulator({
      host,
      port,
      renderSeconds,
      stateDir: join(stateFolder, 'comfyui-simulator'),
    })
  } catch (error) {
    if (!isAddressInUse(error)) throw error
    throw new CommandFailure(
      `${host}:${port} is already in use, so the ComfyUI simulator cannot listen there.\n` +
        `If that is your ComfyUI, start with COMFYUI_URL=http://${host}:${port}; ` +
        'else choose another port with --comfyui-port, or leave the simulator out with --no-comfyui.',
    )
  }
}
