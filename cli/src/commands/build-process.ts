import { Command } from 'commander'
import { BUILD_PROCESS } from '../dev/builder.ts'
import { CommandFailure } from '../failure.ts'

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
