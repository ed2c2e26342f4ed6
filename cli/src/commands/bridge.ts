import { Command, Option } from 'commander'
import { bridgeService } from '../serve/services.ts'
import { runUntilSignal } from '../serve/signals.ts'
import { line } from '../terminal/ui.ts'
import { parsePort } from './options.ts'

interface BridgeFlags {
  gateway: string
  comfyui?: string
  comfyuiClientId?: string
  allowedHost: string[]
  allowedOrigin: string[]
  host: string
  port: number
}

const EXAMPLES = `
Examples:
  ftl bridge --gateway https://gw.example       for a gateway that runs elsewhere
  ftl bridge --host 0.0.0.0 --allowed-host bridge.example    with its own host name
  ftl bridge --comfyui http://gpu:8188 --comfyui-client-id studio    with live previews`

export function bridgeCommand(): Command {
  return new Command('bridge')
    .description(
      'Serve only the WebSocket bridge, for a gateway that runs elsewhere (`spin up`, a cluster)',
    )
    .addHelpText('after', EXAMPLES)
    .option('--gateway <url>', 'origin of the gateway', 'http://127.0.0.1:3000')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on', parsePort, 8001)
    .option('--comfyui <url>', 'ComfyUI server whose live progress clients may watch')
    .option('--comfyui-client-id <id>', 'value of the variable `comfyui_client_id`, for previews')
    .addOption(
      listOption(
        '--allowed-host <name>',
        'host name of the bridge, besides localhost and IP addresses; repeatable',
      ),
    )
    .addOption(
      listOption(
        '--allowed-origin <origin>',
        'origin of pages that may use the bridge, besides this machine and the gateway; repeatable',
      ),
    )
    .action(async (flags: BridgeFlags) => {
      const { gateway, host, port, comfyui, comfyuiClientId } = flags
      await runUntilSignal(async () => {
        const bridge = await bridgeService(gateway, host, port, {
          flag: '--port',
          comfyuiUrl: comfyui,
          comfyuiClientId,
          allowedHosts: flags.allowedHost,
          allowedOrigins: flags.allowedOrigin,
        })
        line(`Bridge ${bridge.url.replace(/^http/, 'ws')}/ws/stream/{id} for ${gateway}`)
        return bridge
      })
    })
}

const listOption = (flags: string, description: string) =>
  new Option(flags, description)
    .default([])
    .argParser((entry: string, before: string[]) => [...before, entry])
