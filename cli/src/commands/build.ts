import { Command, Option } from 'commander'
import { BuildErrors, type BuildEvent } from '../build/index.ts'
import { buildApplication } from '../foreign/build-application.ts'
import { countText, findTypeCheck, TypeCheck } from '../dev/type-check.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { type ScriptTarget, SCRIPT_TARGETS } from '../build/script-bundle.ts'
import { buildScripts, scriptNotes, type ScriptsOptions } from '../other-platforms/build-scripts.ts'
import { type Group, parseGroup } from '../members/group.ts'
import { type WrittenManifest, writeGrouped, writeSingle } from '../members/write-manifests.ts'
import { type Application, loadApplication } from '../application/load-application.ts'
import { buildReporter, line, lineJson, paint } from '../terminal/ui.ts'
import { fromOption } from './options.ts'

const EXAMPLES = `
Examples:
  ftl build                    everything that changed
  ftl build echo calculator    only these
  ftl build --json             for programs: what was built, and what could not be
  ftl build --single           one component of the gateway and its tools, for platforms without calls between components
  ftl build echo --target node             a server for Node; workers makes a Cloudflare Worker
  ftl build --group basics=echo,calculator         two tools in one component, which takes less space`

interface BuildFlags {
  from: string
  json?: boolean
  single?: boolean
  target?: ScriptTarget
  group: Group[]
  allowSharedRights?: boolean
  /** @default types are checked where that is possible, and errors are shown */
  typecheck?: boolean
}

export function buildCommand(): Command {
  return new Command('build')
    .description('Build the components whose sources changed')
    .argument('[components...]', 'only these components (default: all)')
    .addOption(fromOption())
    .option('--json', 'print the result as JSON')
    .option(
      '--group <name=components>',
      'build these tools into one component; repeatable (docs/deploying.md#groups-of-tools)',
      (text: string, before: Group[] = []) => [...before, parseGroup(text)],
      [],
    )
    .option(
      '--allow-shared-rights',
      'with `--group`: also where the components have different hosts, stores, files or variables',
    )
    .option(
      '--single',
      'build the gateway and its tools into one component, which has one sandbox (docs/deploying.md#one-component-for-everything)',
    )
    .addOption(
      new Option(
        '--target <platform>',
        'write a script for this platform instead of a component (docs/deploying.md#cloudflare-workers-and-node)',
      ).choices(SCRIPT_TARGETS),
    )
    .option('--typecheck', 'end with code 1 if the types of the components have errors')
    .option('--no-typecheck', 'do not check types (those of what is built are checked)')
    .addHelpText('after', EXAMPLES)
    .action(async (given: string[], flags: BuildFlags) => {
      const { from, json, single, target } = flags
      if (target && flags.group.length === 0)
        return buildForTarget({ from, ids: given, target, single: single === true }, json)
      const written = await writeManifest(given, flags)
      const ids = written ? [] : given
      const application = await loadApplication(written?.file ?? from, ids)
      if (json) return buildForPrograms(application, ids)
      const started = performance.now()
      const types = typeCheckOf(application, flags.typecheck)
      const report = buildReporter()
      let checked = flags.typecheck === true ? types?.check() : undefined
      const { built, total, failed } = await buildApplication(application, {
        ids,
        onEvent(event) {
          // What is up to date was checked when it was built.
          if (event.state === 'building') checked ??= types?.check()
          report(event)
        },
      })
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      line(paint('dim', `${built} of ${total} components built in ${seconds} s`))
      const errors = failed.length > 0 ? [] : ((await checked) ?? [])
      types?.close()
      for (const error of errors) line(paint('yellow', error))
      if (errors.length > 0) {
        line(paint('yellow', `${countText(errors.length)}; the components were built all the same`))
        if (flags.typecheck === true) process.exitCode = 1
      }
      if (failed.length > 0) throw new BuildErrors(failed)
      for (const text of written?.notes ?? []) line(text)
    })
}

/** @param wanted whether it must be possible; `false` for no check. @throws {CommandFailure} naming what it lacks. */
function typeCheckOf(
  { manifest: { folder }, cacheFolder, targets }: Application,
  wanted: boolean | undefined,
): TypeCheck | undefined {
  const options = { folder, cacheFolder, entries: () => targets.map(({ entry }) => entry) }
  if (wanted === false) return undefined
  return wanted ? new TypeCheck(options) : findTypeCheck(options)
}

/** The manifest of components that are put together; none without such an option. */
async function writeManifest(
  ids: readonly string[],
  { from, single, group, target, allowSharedRights = false }: BuildFlags,
): Promise<WrittenManifest | undefined> {
  if (group.length === 0) {
    if (allowSharedRights) throw new CommandFailure('--allow-shared-rights needs --group')
    return single ? writeSingle(from, ids) : undefined
  }
  if (single || target || ids.length > 0) {
    const what = single ? '--single' : target ? '--target' : 'names of components'
    throw new CommandFailure(`--group cannot be used with ${what}`)
  }
  return writeGrouped(from, group, allowSharedRights)
}

async function buildForTarget(options: ScriptsOptions, json = false): Promise<void> {
  const built = await buildScripts(options)
  if (json) return lineJson({ scripts: built })
  for (const each of built) for (const text of scriptNotes(each, options.target)) line(text)
}

async function buildForPrograms(application: Application, ids: readonly string[]): Promise<void> {
  const components: Omit<BuildEvent, 'left'>[] = []
  const warnings: { component: string; warning: string | undefined }[] = []
  const onEvent = ({ left: _, ...event }: BuildEvent) => {
    const { id, state, warning } = event
    if (state === 'warning') warnings.push({ component: id, warning })
    else if (state === 'built' || state === 'cached') components.push(event)
  }
  const { failed } = await buildApplication(application, { ids, onEvent, quiet: true })
  const errors = failed.map(({ component, problems }) => ({ component, problems }))
  const [error] = errors
  lineJson({ components, warnings, ...(error && { error, errors }) })
  if (error) process.exitCode = 1
}
