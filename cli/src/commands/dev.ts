import { watch } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { buildComponents, BuildError } from '../build/index.ts'
import { describeFailure } from '../failure.ts'
import { untilSignal } from '../signals.ts'
import { loadApplication } from '../targets.ts'
import { abandonStep, buildReporter, line, paint } from '../ui.ts'
import { type StartFlags, startEverything, withStartOptions } from './start.ts'

/** Editors write a file in several steps; changes closer together than this are one. */
const SETTLE_MS = 100

export function devCommand(): Command {
  return withStartOptions(
    new Command('dev').description('Like start, and rebuild and restart on every change'),
  ).action(async (flags: StartFlags) => {
    const application = await loadApplication(flags.from, [], flags)
    const { targets, cacheFolder, manifest } = application
    const onEvent = buildReporter({ quietWhenCached: true })
    let { inputs } = await buildComponents(targets, { cacheFolder, onEvent })
    const running = await startEverything(application, flags)

    const rebuild = async () => {
      const started = performance.now()
      try {
        const result = await buildComponents(targets, { cacheFolder, onEvent })
        inputs = result.inputs
        if (result.changed.length === 0) return
        await running.restartHost()
        line(paint('green', `serving the change after ${seconds(started)} s`))
      } catch (error) {
        if (!(error instanceof BuildError)) throw error
        abandonStep()
        line(paint('red', describeFailure(error, false)))
        line(paint('dim', 'the last good build stays up'))
      }
    }

    let work = Promise.resolve()
    let timer: NodeJS.Timeout | undefined
    const watcher = watch(manifest.folder, { recursive: true }, (_, file) => {
      const path = file === null ? undefined : resolve(manifest.folder, file)
      const known = [...inputs.values()].some((files) => path !== undefined && files.includes(path))
      if (!known) return
      clearTimeout(timer)
      timer = setTimeout(() => {
        work = work.then(rebuild)
      }, SETTLE_MS)
    })
    line(paint('dim', '  watching for changes'))
    await untilSignal()
    watcher.close()
    clearTimeout(timer)
    await work
    await running.close()
  })
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}
