import { Command } from 'commander'
import { BuildErrors, buildEach, type BuildEvent, type BuildTarget } from '../build/index.ts'
import { loadApplication } from '../targets.ts'
import { buildReporter, line, paint } from '../ui.ts'
import { fromOption } from './options.ts'

const EXAMPLES = `
Examples:
  ftl build                    everything that changed
  ftl build echo calculator    only these
  ftl build --json             for programs: what was built, and what could not be`

interface BuildFlags {
  from: string
  json?: boolean
}

export function buildCommand(): Command {
  return new Command('build')
    .description('Build the components whose sources changed, all in one process')
    .argument('[components...]', 'only these components (default: all)')
    .addOption(fromOption())
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (ids: string[], { from, json }: BuildFlags) => {
      const { targets, cacheFolder } = await loadApplication(from, ids)
      if (json) return buildForPrograms(targets, cacheFolder)
      const started = performance.now()
      const { built, failed } = await buildEach(targets, { cacheFolder, onEvent: buildReporter() })
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      line(paint('dim', `${built} of ${targets.length} components built in ${seconds} s`))
      if (failed.length > 0) throw new BuildErrors(failed)
    })
}

async function buildForPrograms(
  targets: readonly BuildTarget[],
  cacheFolder: string,
): Promise<void> {
  const components: Omit<BuildEvent, 'left'>[] = []
  const warnings: { component: string; warning: string | undefined }[] = []
  const onEvent = ({ left: _, ...event }: BuildEvent) => {
    const { id, state, warning } = event
    if (state === 'warning') warnings.push({ component: id, warning })
    else if (state === 'built' || state === 'cached') components.push(event)
  }
  const { failed } = await buildEach(targets, { cacheFolder, onEvent })
  const errors = failed.map(({ component, problems }) => ({ component, problems }))
  const [error] = errors
  line(JSON.stringify({ components, warnings, ...(error && { error, errors }) }))
  if (error) process.exitCode = 1
}
