import { Command, Option } from 'commander'
import { STAND_IN } from '../dev/broken-components.ts'
import { BUILD_PROCESS, Builder } from '../dev/builder.ts'
import { DevSession } from '../dev/session.ts'
import { countText, findTypeCheck, TypeCheck } from '../dev/type-check.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { untilSignal } from '../serve/signals.ts'
import { loadApplication } from '../application/load-application.ts'
import { abandonStep, buildReporter, line, paint } from '../terminal/ui.ts'
import { type StartFlags, startEverything, withFreePorts, withStartOptions } from './start.ts'

const EXAMPLES = `
Examples:
  ftl dev                      serve everything, and reload when a source or spin.toml changes
  ftl dev --no-typecheck       without the errors of the type checker
  ftl dev --no-comfyui --no-bridge --requests all   only the gateway, with every request shown`

interface DevFlags extends StartFlags {
  typecheck?: boolean
}

export function devCommand(): Command {
  return withStartOptions(
    new Command('dev')
      .description('Start with hot reload: serve every change without dropping a call')
      .addOption(
        new Option(
          '--typecheck',
          "fail if types cannot be checked with the project's TypeScript",
        ).hideHelp(),
      )
      .option('--no-typecheck', 'do not check types (they are checked after each change)')
      .addHelpText('after', EXAMPLES),
  ).action(dev)
}

/** Hidden: the process that builds for `ftl dev`. */
export function buildProcessCommand(): Command {
  return new Command(BUILD_PROCESS)
    .description('Build for ftl dev, which starts it')
    .action(async () => {
      if (!process.send) throw new CommandFailure('this command is for ftl dev; use ftl build')
      const { serveBuilds } = await import('../dev/build-process.ts')
      serveBuilds()
    })
}

async function dev(given: DevFlags, command: Command): Promise<void> {
  const load = async () => {
    try {
      return await loadApplication(given.from, [], { ...given, withMissing: true })
    } finally {
      // Reading the manifest starts a bundler in this process, which builds nothing.
      await (await import('../build/end-bundler.ts')).endBundler()
    }
  }
  const application = await load()
  const flags = await withFreePorts(application, given, command)
  const about = {
    folder: application.manifest.folder,
    cacheFolder: application.cacheFolder,
    entries: () => session.application.targets.map(({ entry }) => entry),
  }
  const types = flags.typecheck === true ? new TypeCheck(about) : findTypeCheck(about)
  const checkTypes = types && flags.typecheck !== false ? typeReporter(types) : undefined
  const report = buildReporter({ quietWhenCached: true })
  // An author has not written it.
  const builder = new Builder({
    onEvent(event) {
      if (event.id !== STAND_IN) report(event)
    },
  })
  const session: DevSession = new DevSession({
    application,
    load,
    builder,
    memory: {
      maxInstanceMemory: flags.maxInstanceMemory,
      runtimeConfigFile: flags.runtimeConfigFile,
    },
    onSaved: () => checkTypes?.(),
  })
  const stopped = untilSignal().then(() => {
    abandonStep()
    session.close()
    types?.close()
  })
  if (!(await session.buildAll())) return
  const development = { development: true, overrides: session.overrides }
  // Each reload starts all of them. While one guest computes, the host's spare thread serves the others.
  const workers = flags.workers ?? 1
  const running = await startEverything(
    session.application,
    { ...flags, workers },
    development,
  ).catch((error: unknown) => {
    session.close()
    types?.close()
    throw error
  })
  line(paint('dim', '  watching for changes'))
  checkTypes?.()
  await session.run((changed, overrides) => running.reload(changed, overrides))
  await stopped
  line(paint('dim', '\nstopping'))
  await running.close()
}

/** Prints the errors of each check; that all is well is said once, because more would scroll the calls away. */
function typeReporter(types: TypeCheck): () => void {
  let clean = false
  const check = async () => {
    const errors = await types.check()
    if (errors === undefined) return
    for (const error of errors) line(paint('yellow', error))
    if (errors.length > 0) line(paint('yellow', `  ${countText(errors.length)}`))
    else if (!clean) line(paint('dim', '  types are fine'))
    clean = errors.length === 0
  }
  return () => void check()
}
