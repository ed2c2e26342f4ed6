import { Command } from 'commander'
import { BuildErrors, type BuildEvent } from '../build/index.ts'
import { buildApplication } from '../foreign/build-application.ts'
import { type Application, loadApplication } from '../targets.ts'
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
    .description('Build the components whose sources changed')
    .argument('[components...]', 'only these components (default: all)')
    .addOption(fromOption())
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (ids: string[], { from, json }: BuildFlags) => {
      const application = await loadApplication(from, ids)
      if (json) return buildForPrograms(application, ids)
      const started = performance.now()
      const { built, total, failed } = await buildApplication(application, {
        ids,
        onEvent: buildReporter(),
      })
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      line(paint('dim', `${built} of ${total} components built in ${seconds} s`))
      if (failed.length > 0) throw new BuildErrors(failed)
    })
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
  line(JSON.stringify({ components, warnings, ...(error && { error, errors }) }))
  if (error) process.exitCode = 1
}
