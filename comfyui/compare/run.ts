// A real ComfyUI against the simulator. Run: npm run compare-simulator -- --comfyui URL. See --help.
import { parseArgs } from 'node:util'
import { startSimulator } from '../simulator/index.ts'
import { Unusable } from './ask.ts'
import { type Comparison, compareServers, versionOf } from './compare.ts'

const HELP = `npm run compare-simulator -- --comfyui URL [options]

Asks a real ComfyUI server and the simulator the same, and prints every difference in what the client uses. It runs a
prompt of three small nodes twice (without a model), and leaves two small files on the server, named
ftl-compare-simulator. It touches no other prompt. While prompts are waiting it only reads.

  --comfyui URL    the server, for example http://127.0.0.1:8188
  --even-if-busy   run the prompts although others are waiting
  --json           print one JSON document
  --help

Ends with 0 if there is no difference, 1 if there is one, 2 if the servers could not be compared.`

/** Milliseconds after which a line of progress follows the last. */
const PROGRESS_MS = 2_000

process.exitCode = await main()

async function main(): Promise<number> {
  let flags
  try {
    ;({ values: flags } = parseArgs({
      options: {
        comfyui: { type: 'string', default: process.env['COMFYUI_URL'] ?? '' },
        'even-if-busy': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }))
  } catch (error) {
    return refuse((error as Error).message)
  }
  if (flags.help) {
    print(HELP)
    return 0
  }
  const url = URL.parse(flags.comfyui)
  if (!url || !/^https?:$/.test(url.protocol))
    return refuse('--comfyui must be an address such as http://127.0.0.1:8188')
  const real = url.href.replace(/\/+$/, '')
  let shownAt = performance.now()
  const onProbe = (name: string): void => {
    if (flags.json || performance.now() - shownAt < PROGRESS_MS) return
    shownAt = performance.now()
    console.error(`  … ${name}`)
  }
  try {
    const version = await versionOf(real)
    const generation = version.startsWith('0.3.') ? '0.3.64' : '0.33.0'
    const simulator = await startSimulator({ port: 0, version: generation, renderSeconds: 0.1 })
    try {
      const compared = await compareServers(real, simulator.url, {
        evenIfBusy: flags['even-if-busy'],
        onProbe,
      })
      report(compared, { version: version.slice(0, 40), generation, json: flags.json })
      return compared.differences.length > 0 ? 1 : 0
    } finally {
      await simulator.close()
    }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return refuse(`${url.origin} cannot be compared: ${error.message}`)
  }
}

function report(
  compared: Comparison,
  { version, generation, json }: { version: string; generation: string; json: boolean },
): void {
  const { differences, probes, skipped } = compared
  if (json) return print(JSON.stringify({ version, simulator: generation, ...compared }, null, 2))
  for (const { probe, field, real, simulator } of differences) {
    print(`${probe}\n  ${field}\n    real       ${real}\n    simulator  ${simulator}`)
  }
  for (const reason of skipped) print(`Left out: ${reason}.`)
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`
  print(
    `${count} in ${probes} probes, ComfyUI ${JSON.stringify(version)} against the simulator of ${generation}`,
  )
}

function refuse(message: string): number {
  console.error(`${message}\nSee npm run compare-simulator -- --help.`)
  return 2
}

function print(text: string): void {
  console.log(text)
}
