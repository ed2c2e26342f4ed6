import { basename } from 'node:path'
import { Command } from 'commander'
import { type PinFile, PINNED_KINDS } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { isGateway, memberNames } from '../members/placed-names.ts'
import { diffOf } from '../pinning/diff.ts'
import { LOCK_FILE, readLock, writeLock } from '../pinning/lock-file.ts'
import { publishedPins, toolComponents, wasmDigest } from '../pinning/published-pins.ts'
import { type Application, loadApplication } from '../application/load-application.ts'
import { terminalAt, withQuestions } from '../terminal/terminal.ts'
import { line, paint, step } from '../terminal/ui.ts'
import { variableOption } from './host-options.ts'
import { fromOption } from './options.ts'

const EXAMPLES = `
Examples:
  ftl pin              show what has changed since ftl.lock was written, and ask
  ftl pin images       only this component
  ftl pin --check      for CI: exits with 1 if something is not as in ftl.lock`

interface PinFlags {
  from: string
  profile?: string
  variable: Record<string, string>
  runtimeConfigFile?: string
  check?: boolean
  yes?: boolean
}

export function pinCommand(): Command {
  return new Command('pin')
    .description(
      'Accept what the components are and publish: `ftl up` and the gateway then serve nothing else',
    )
    .argument('[components...]', 'only these components (default: all)')
    .addOption(fromOption())
    .option('--profile <name>', 'the build profile that is served')
    .addOption(variableOption())
    .option('--runtime-config-file <path>', 'the runtime configuration it is served with')
    .option('--check', 'write nothing, and exit with 1 if something differs')
    .option('-y, --yes', 'write without asking')
    .addHelpText('after', EXAMPLES)
    .action(pin)
}

async function pin(ids: string[], flags: PinFlags): Promise<void> {
  if (flags.check && flags.yes) throw new CommandFailure('--check writes nothing: leave --yes out')
  const application = await loadApplication(flags.from, ids, flags)
  const { folder } = application.manifest
  refuseSingle(application.manifest)
  const before = await readLock(folder)
  if (!before && flags.check)
    throw new CommandFailure(`there is no ${LOCK_FILE}: run ftl pin first`)
  if (!before && ids.length > 0) {
    throw new CommandFailure(
      `there is no ${LOCK_FILE} yet, and a component that is not in it is not served: run ftl pin without names first`,
    )
  }
  const after = await currentPins(application, ids, flags, before)
  if (!showDifferences(before, after)) {
    return line(`${LOCK_FILE} is up to date: ${summary(after)}`)
  }
  if (flags.check) {
    line(`\n${LOCK_FILE} differs. If you accept these changes, run: ftl pin`)
    process.exitCode = 1
    return
  }
  if (!flags.yes && !(await accepts())) {
    line(`${LOCK_FILE} was not changed`)
    process.exitCode = 1
    return
  }
  await writeLock(folder, after)
  line(`Wrote ${LOCK_FILE}: ${summary(after)}`)
}

/** @throws {CommandFailure} for tools that only their gateway can reach. */
function refuseSingle({ components, file }: Application['manifest']): void {
  const gateway = [...components.values()].find(
    (each) => isGateway(each) && memberNames(each).length > 0,
  )
  if (!gateway) return
  throw new CommandFailure(
    `${basename(file)} has its tools inside the gateway, so nothing outside can compare what they publish: pin an application with ` +
      'components of their own, or with a group',
  )
}

async function currentPins(
  application: Application,
  ids: readonly string[],
  { variable, profile, runtimeConfigFile }: PinFlags,
  before: PinFile | undefined,
): Promise<PinFile> {
  const { manifest } = application
  const withTools = toolComponents(manifest, variable)
  const components: PinFile['components'] = {}
  const served = { variables: variable, profile, runtimeConfigFile }
  for (const id of manifest.components.keys()) {
    const inside = withTools.filter(({ place }) => place === id)
    const names = new Set([id, ...inside.map(({ name }) => name)])
    if (ids.length > 0 && !ids.includes(id)) {
      for (const name of names) {
        const known =
          before && Object.hasOwn(before.components, name) ? before.components[name] : undefined
        if (known) components[name] = known
      }
      continue
    }
    const wasm = await wasmDigest(manifest, id)
    if (wasm === undefined) {
      throw new CommandFailure(
        `the file of the component ${id} does not exist: run ftl build first`,
      )
    }
    for (const name of names) components[name] = { wasm }
    for (const tool of inside) {
      components[tool.name] = { wasm, ...(await described(application, tool, served)) }
    }
  }
  return { version: 1, components }
}

async function described(...[application, tool, served]: Parameters<typeof publishedPins>) {
  const done = step(`asking ${tool.name}`)
  const pins = await publishedPins(application, tool, served)
  done(`${tool.name} ${paint('dim', counted(pins))}`)
  return pins
}

/** @returns whether there are any. */
function showDifferences(before: PinFile | undefined, after: PinFile): boolean {
  const old = before?.components ?? {}
  let isDifferent = false
  for (const id of new Set([...Object.keys(old), ...Object.keys(after.components)])) {
    const was = Object.hasOwn(old, id) ? old[id] : undefined
    const is = Object.hasOwn(after.components, id) ? after.components[id] : undefined
    const lines = diffOf(was, is ?? {})
    if (lines.length === 0) continue
    isDifferent = true
    const what = !was ? ' is not pinned yet' : !is ? ' is no longer in spin.toml' : ''
    line(`\n${paint('bold', id)}${what}`)
    for (const each of lines) line(`  ${each}`)
  }
  return isDifferent
}

/** @throws {CommandFailure} without a terminal. */
async function accepts(): Promise<boolean> {
  if (!terminalAt('stdout')) {
    throw new CommandFailure('there is no terminal to ask at: accept the changes with --yes')
  }
  const answer = await withQuestions('stdout', {}, (ask) =>
    ask('\nA model reads these texts. Accept them? [y/N] '),
  )
  return /^y(es)?$/i.test(answer.trim())
}

function summary({ components }: PinFile): string {
  const all = Object.values(components)
  const tools = all.reduce((sum, { tools = {} }) => sum + Object.keys(tools).length, 0)
  return `${plural(all.length, 'component')}, ${plural(tools, 'tool')}`
}

function counted(pins: PinFile['components'][string]): string {
  const names = {
    tools: 'tool',
    prompts: 'prompt',
    resources: 'resource',
    resourceTemplates: 'template',
  }
  const parts = PINNED_KINDS.flatMap((kind) => {
    const count = Object.keys(pins[kind] ?? {}).length
    return count > 0 ? [plural(count, names[kind])] : []
  })
  return parts.join(', ') || 'publishes nothing'
}

const plural = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
