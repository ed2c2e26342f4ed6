import { note } from '../terminal/terminal.ts'
import { Command, Option } from 'commander'
import type { Host } from 'ftl-host'
import { activityPlace } from '../activity/activity-address.ts'
import { buildAll } from '../foreign/build-application.ts'
import { findFreePort } from '../serve/ports.ts'
import { serve } from '../serve/serve.ts'
import { runUntilSignal } from '../serve/signals.ts'
import { loadApplication } from '../application/load-application.ts'
import { buildReporter, line } from '../terminal/ui.ts'
import { withHelpAll } from './help.ts'
import { type HostFlags, withHostOptions } from './host-options.ts'
import { GROUPS } from './option-groups.ts'

interface UpFlags extends HostFlags {
  build?: boolean
  findFreePort?: boolean
  format: 'plain' | 'json'
  componentId: string[]
}

const EXAMPLES = `
Examples:
  ftl up                                        serve what is built
  ftl up --build --listen 0.0.0.0:8080          build first, and listen for other machines
  ftl up --log-format json | jq 'select(.type == "request")'
  ftl up -c mcp-gateway -c echo                 only these components`

export function upCommand(): Command {
  const command = new Command('up')
    .description('Serve what is built on the embedded host, as `spin up` does')
    .addHelpText('after', EXAMPLES)
    .addOption(new Option('--build', 'build what changed first').env('SPIN_ALWAYS_BUILD'))
    .addOption(
      new Option('--find-free-port', 'use the next free port if the port is in use').helpGroup(
        GROUPS.serving,
      ),
    )
    .addOption(
      new Option('--format <format>', 'how the table of routes is printed')
        .choices(['plain', 'json'])
        .default('plain')
        .helpGroup(GROUPS.output),
    )
    .addOption(
      new Option('-c, --component-id <id>', 'serve only this component; repeatable')
        .default([], 'all')
        .helpGroup(GROUPS.serving)
        .argParser((id: string, before: string[]) => [...before, id]),
    )
  return withHelpAll(withHostOptions(command)).action(up)
}

async function up(flags: UpFlags): Promise<void> {
  const json = flags.format === 'json'
  const jsonLog = flags.logFormat === 'json'
  const components = flags.componentId.length > 0 ? flags.componentId : undefined
  const application = await loadApplication(flags.from, flags.componentId, flags)
  if (flags.build) {
    const quiet = json || jsonLog
    await buildAll(application, {
      ids: flags.componentId,
      onEvent: quiet ? undefined : buildReporter({ quietWhenCached: true }),
      quiet,
    })
  }
  const listen = flags.findFreePort ? await findFreePort(flags.listen) : flags.listen
  const options = {
    components,
    // A program that reads the addresses gets nothing else to read.
    print: json ? note : undefined,
    progress: !json && !jsonLog,
  }
  await runUntilSignal(async () => {
    const host = await serve(application, { ...flags, listen }, options)
    if (json) line(jsonRoutes(host))
    else line(jsonLog ? servingLine(host) : plainRoutes(host))
    const activity = json || jsonLog ? undefined : activityPlace(host)
    if (activity !== undefined) line(`Activity: ${activity}`)
    return host
  })
}

type Served = Pick<Host, 'url' | 'routes'>

/** The lines that `spin up` prints when it serves. */
export function plainRoutes({ url, routes }: Served): string {
  const lines = routes.flatMap(({ id, path, wildcard, description }) => [
    `  ${id}: ${url}${path}${wildcard ? ' (wildcard)' : ''}`,
    ...(description === undefined ? [] : [`    ${description}`]),
  ])
  return ['', `Serving ${url}`, 'Available Routes:', ...lines].join('\n')
}

/** The same among log lines of JSON. */
function servingLine(served: Served): string {
  const table: unknown = JSON.parse(jsonRoutes(served))
  return JSON.stringify({ time: new Date().toISOString(), type: 'serving', ...(table as object) })
}

export function jsonRoutes({ url, routes }: Served): string {
  const entries = routes.map(({ id, path, wildcard, description }) => ({
    id,
    route: path,
    wildcard,
    description,
  }))
  return JSON.stringify({ base_url: url, routes: entries }, null, 2)
}
