import { Command } from 'commander'
import { STAND_IN } from '../dev/broken.ts'
import { BUILD_PROCESS, Builder } from '../dev/builder.ts'
import { DevSession } from '../dev/session.ts'
import { TypeCheck } from '../dev/type-check.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { untilSignal } from '../serve/signals.ts'
import { loadApplication } from '../application/targets.ts'
import { abandonStep, buildReporter, line, paint } from '../terminal/ui.ts'
import { type StartFlags, startEverything, withStartOptions } from './start.ts'

const EXAMPLES = `
Examples:
  ftl dev                      serve everything, and reload when a source or spin.toml changes
  ftl dev --typecheck          also run tsc --noEmit in the background after each change
  ftl dev --no-comfyui --no-bridge --requests all   only the gateway, with every request shown`

interface DevFlags extends StartFlags {
  typecheck?: boolean
}

export function devCommand(): Command {
  return withStartOptions(
    new Command('dev')
      .description('Start with hot reload: serve every change without dropping a call')
      .option('--typecheck', "also check types with the project's TypeScript, beside the build")
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

async function dev(flags: DevFlags): Promise<void> {
  const load = () => loadApplication(flags.from, [], { ...flags, withMissing: true })
  const application = await load()
  const types = flags.typecheck === true ? typeCheck(application.manifest.folder) : undefined
  const report = buildReporter({ quietWhenCached: true })
  // An author has not written it.
  const builder = new Builder((event) => {
    if (event.id !== STAND_IN) report(event)
  })
  const session = new DevSession({
    application,
    load,
    builder,
    memory: {
      maxInstanceMemory: flags.maxInstanceMemory,
      runtimeConfigFile: flags.runtimeConfigFile,
    },
    onSaved: () => types?.start(),
  })
  const stopped = untilSignal().then(() => {
    abandonStep()
    session.close()
    types?.close()
  })
  types?.start()
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
  await session.run((changed, overrides) => running.reload(changed, overrides))
  await stopped
  line(paint('dim', '\nstopping'))
  await running.close()
}

function typeCheck(folder: string): TypeCheck {
  let clean = false
  return new TypeCheck({
    folder,
    cacheFolder: `${folder}/.ftl/cache`,
    onDone: (errors) => {
      for (const error of errors) line(paint('yellow', error))
      const count = errors.length
      if (count > 0) line(paint('yellow', `  ${count} type error${count === 1 ? '' : 's'}`))
      // Said once: that all is well should not scroll the calls away.
      else if (!clean) line(paint('dim', '  types are fine'))
      clean = count === 0
    },
  })
}
