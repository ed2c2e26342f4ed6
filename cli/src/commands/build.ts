import { Command } from 'commander'
import { buildComponents } from '../build/index.ts'
import { loadApplication } from '../targets.ts'
import { buildReporter, line, paint } from '../ui.ts'
import { fromOption } from './options.ts'

export function buildCommand(): Command {
  return new Command('build')
    .description('Build the components whose sources changed, all in one process')
    .argument('[components...]', 'only these components (default: all)')
    .addOption(fromOption())
    .action(async (ids: string[], { from }: { from: string }) => {
      const { targets, cacheFolder } = await loadApplication(from, ids)
      const started = performance.now()
      const { built } = await buildComponents(targets, { cacheFolder, onEvent: buildReporter() })
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      line(paint('dim', `${built} of ${targets.length} components built in ${seconds} s`))
    })
}
