import { dirname, join, resolve } from 'node:path'
import { Command } from 'commander'
import { findManifest } from 'create-ftl-tool'
import { simulatorService } from '../serve/services.ts'
import { runUntilSignal } from '../serve/signals.ts'
import { line } from '../terminal/ui.ts'
import { parsePort, parseSeconds } from './options.ts'

interface SimulatorFlags {
  host: string
  port: number
  renderSeconds: number
}

const EXAMPLES = `
Examples:
  ftl simulator                      for "spin up", which starts nothing beside the application
  ftl simulator --render-seconds 30  with images that take longer`

export function simulatorCommand(): Command {
  return new Command('simulator')
    .description(
      'Serve only the ComfyUI simulator, for an application that runs elsewhere (`spin up`)',
    )
    .addHelpText('after', EXAMPLES)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on', parsePort, 8188)
    .option('--render-seconds <n>', 'how long the simulator takes for an image', parseSeconds, 3)
    .action(async ({ host, port, renderSeconds }: SimulatorFlags) => {
      await runUntilSignal(async () => {
        const simulator = await simulatorService(port, stateFolder(), renderSeconds, {
          host,
          flag: '--port',
        })
        line(`ComfyUI simulator ${simulator.url}`)
        line(`Draw with it: SPIN_VARIABLE_COMFYUI_URL=${simulator.url} spin up`)
        return simulator
      })
    })
}

/** Where `ftl start` keeps what the simulator has drawn; in memory where there is no application. */
function stateFolder(): string | undefined {
  const manifest = findManifest(resolve('.'))
  return manifest === undefined ? undefined : join(dirname(manifest), '.ftl', 'state')
}
