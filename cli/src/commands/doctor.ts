import { dirname, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { ManifestError } from 'ftl-host'
import { type Finding, findingLines, ok, problem } from '../doctor/finding.ts'
import { readRecords } from '../running/record.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { type Application, loadApplication } from '../application/load-application.ts'
import { line, lineJson, paint } from '../terminal/ui.ts'
import { variableOption } from './host-options.ts'
import { fromOption, listenOption, parsePort } from './options.ts'

const EXAMPLES = `
Examples:
  ftl doctor                                find problems, and how to fix them
  ftl doctor --fix                          declare in spin.toml what is missing
  ftl doctor --url http://127.0.0.1:3000    check a running gateway and its components
  ftl doctor --comfyui http://gpu:8188      check whether the render types run on your ComfyUI
  ftl doctor --json | jq '.findings[] | select(.level == "problem")'`

interface DoctorFlags {
  from: string
  listen: string
  bridgePort: number
  comfyuiPort: number
  stateDir?: string
  variable: Record<string, string>
  url?: string
  comfyui?: string
  fix?: boolean
  json?: boolean
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'Check this machine and application, and report how to fix each problem; exits with 1 if there is one',
    )
    .addOption(fromOption())
    .addOption(listenOption())
    .option('--bridge-port <port>', 'port of the WebSocket bridge', parsePort, 8001)
    .option('--comfyui-port <port>', 'port of the ComfyUI simulator', parsePort, 8188)
    .option('--state-dir <path>', 'folder of the key-value database')
    .addOption(variableOption())
    .option('--url <url>', 'check a running gateway instead')
    .addOption(
      new Option(
        '--comfyui <url>',
        'check whether the render types run on this ComfyUI server instead, and propose one for its models',
      ).conflicts('url'),
    )
    .addOption(
      new Option(
        '--fix',
        'declare in `spin.toml` the variables of the gateway that it does not declare, then check',
      ).conflicts(['url', 'comfyui']),
    )
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: DoctorFlags) => {
      const findings = await findingsOf(flags)
      const count = (level: Finding['level']) =>
        findings.filter((finding) => finding.level === level).length
      const [problems, warnings] = [count('problem'), count('warning')]
      if (flags.json) lineJson({ problems, warnings, findings }, 2)
      else {
        for (const finding of findings) line(findingLines(finding))
        line(paint('dim', `\n  ${plural(problems, 'problem')}, ${plural(warnings, 'warning')}`))
      }
      if (problems > 0) process.exitCode = 1
    })
}

function findingsOf(flags: DoctorFlags): Promise<Finding[]> {
  const { url, comfyui, from } = flags
  if (url !== undefined) return askGateway(url)
  if (comfyui !== undefined) return askComfyui(comfyui, from)
  return flags.fix ? fixThenCheck(flags) : checkAll(flags)
}

async function fixThenCheck(flags: DoctorFlags): Promise<Finding[]> {
  const loaded = await load(flags.from)
  if ('level' in loaded) return [loaded]
  const { fixDeclarations } = await import('../doctor/gateway-variables.ts')
  return [await fixDeclarations(loaded.manifest.file), ...(await checkAll(flags))]
}

async function askComfyui(url: string, from: string): Promise<Finding[]> {
  const loaded = await load(from)
  if ('level' in loaded) return [loaded]
  const [{ readRenderTypes }, { checkComfyui }] = await Promise.all([
    import('../doctor/render-types.ts'),
    import('../doctor/comfyui.ts'),
  ])
  return checkComfyui(url, await readRenderTypes(loaded.manifest))
}

async function checkAll(flags: DoctorFlags): Promise<Finding[]> {
  const { checkNode, checkPort, checkWritable } = await import('../doctor/machine.ts')
  const [, gatewayPort = ''] = /:(\d+)$/.exec(flags.listen) ?? []
  const loaded = await load(flags.from)
  // ftl start runs the bridge and the simulator where the application has a variable for them.
  const has = (name: string) => !('level' in loaded) && loaded.manifest.variables.has(name)
  const { bridgePort, comfyuiPort } = flags
  const served =
    'level' in loaded
      ? []
      : readRecords(loaded.manifest.folder).map(({ url }) => Number(new URL(url).port))
  const ports = await Promise.all([
    checkPort({ port: Number(gatewayPort), what: 'gateway', flag: '--listen', served }),
    ...(hasBridge(loaded)
      ? [checkPort({ port: bridgePort, what: 'WebSocket bridge', flag: '--bridge-port' })]
      : []),
    ...(has('comfyui_url')
      ? [checkPort({ port: comfyuiPort, what: 'ComfyUI simulator', flag: '--comfyui-port' })]
      : []),
  ])
  const findings = [checkNode(), ...ports]
  if ('level' in loaded) return [...findings, loaded]
  const { manifest } = loaded
  const state = resolve(flags.stateDir ?? `${manifest.folder}/.spin`)
  const [{ checkSettings }, { checkAuthentication }, { checkComponents }, { checkPins }] =
    await Promise.all([
      import('../doctor/check-manifest.ts'),
      import('../doctor/authentication.ts'),
      import('../doctor/components.ts'),
      import('../pinning/enforce.ts'),
    ])
  return [
    ...findings,
    checkWritable('state folder', state),
    checkWritable('cache folder', loaded.cacheFolder),
    ok('spin.toml', `${plural(manifest.components.size, 'component')}, and every key is known`),
    ...checkSettings(manifest, flags.variable),
    ...(await checkAuthentication(manifest, flags)),
    ...(await checkComponents(loaded)),
    ...(await checkPins(loaded, flags.variable)),
  ]
}

/** `ftl start` starts it. */
function hasBridge(loaded: Application | Finding): boolean {
  if ('level' in loaded) return false
  const declared = loaded.manifest.variables.get('bridge_url')
  return declared !== undefined && declared.default !== 'off'
}

async function load(from: string): Promise<Application | Finding> {
  try {
    return await loadApplication(from)
  } catch (error) {
    if (!(error instanceof ManifestError || error instanceof CommandFailure)) throw error
    const folder = dirname(resolve(from, 'spin.toml'))
    return problem(
      'spin.toml',
      error.message,
      `correct ${folder}/spin.toml, and run ftl doctor again`,
    )
  }
}

async function askGateway(url: string): Promise<Finding[]> {
  const { checkGateway } = await import('../doctor/gateway.ts')
  return checkGateway(url)
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
