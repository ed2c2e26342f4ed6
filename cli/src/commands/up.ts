import { Command } from 'commander'
import { untilSignal } from '../signals.ts'
import { serve } from '../serve.ts'
import { loadApplication } from '../targets.ts'
import { line } from '../ui.ts'
import { buildComponents } from '../build/index.ts'
import { buildReporter } from '../ui.ts'
import {
  fromOption,
  type HostFlags,
  listenOption,
  stateDirOption,
  variableOption,
} from './options.ts'

export function upCommand(): Command {
  return new Command('up')
    .description('Serve the application on the embedded host, as spin up does')
    .addOption(fromOption())
    .addOption(listenOption())
    .addOption(variableOption())
    .addOption(stateDirOption())
    .option('--build', 'build what changed first')
    .action(async (flags: HostFlags & { build?: boolean }) => {
      const application = await loadApplication(flags.from)
      if (flags.build) {
        const { targets, cacheFolder } = application
        await buildComponents(targets, {
          cacheFolder,
          onEvent: buildReporter({ quietWhenCached: true }),
        })
      }
      const host = await serve(application, flags)
      line(`\nServing ${host.url}`)
      line('Available Routes:')
      for (const { route, component } of host.routes) line(`  ${component}: ${host.url}${route}`)
      await untilSignal()
      await host.close()
    })
}
