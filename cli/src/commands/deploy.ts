import { basename } from 'node:path'
import { Argument, Command } from 'commander'
import { DEPLOY_TARGETS } from '../deploy/deploy-target.ts'
import { filesFor } from '../deploy/deploy-files.ts'
import { type DeployPlan, mib, planDeployment } from '../deploy/deploy-plan.ts'
import { stepsFor } from '../deploy/deploy-steps.ts'
import { type SuggestedGroup, suggestGroups } from '../deploy/suggest-groups.ts'
import { writeNew } from '../deploy/write-new.ts'
import { findingLines } from '../doctor/finding.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { loadApplication } from '../application/load-application.ts'
import { line, lineJson, paint } from '../terminal/ui.ts'
import { visible } from '../terminal/visible-text.ts'
import { variableOption } from './host-options.ts'
import { fromOption } from './options.ts'

const NAMES = [...DEPLOY_TARGETS.keys()]

const EXAMPLES = `
Examples:
  ftl deploy plan akamai                       does the application fit, and what is missing?
  ftl deploy plan akamai --variable allowed_hosts=tools.example --variable wait_limit_ms=25000
  ftl deploy plan container --write .          write a Containerfile into this folder
  ftl deploy plan spinkube --write deploy      write the files for Kubernetes into the folder deploy
  ftl deploy plan akamai --json | jq .problems

Exit status: 0 if nothing keeps it from being deployed, 1 if something does.`

interface PlanFlags {
  from: string
  profile?: string
  variable: Record<string, string>
  write?: string
  json?: boolean
}

/** `ftl deploy`: what it takes to run the application elsewhere. */
export function deployCommand(): Command {
  return new Command('deploy')
    .description('Plan a deployment: what fits, what does not, and which commands to run')
    .addHelpText('after', EXAMPLES)
    .addCommand(planCommand())
}

function planCommand(): Command {
  return new Command('plan')
    .description('Compare the application with the limits of a platform; deploys nothing')
    .addArgument(new Argument('<target>', 'where to deploy').choices(NAMES))
    .addOption(fromOption())
    .option('--profile <name>', 'apply what `[component.X.profile.NAME]` changes')
    .addOption(variableOption())
    .option(
      '--write <folder>',
      'write the files that the platform needs: `Containerfile`, `spinapp.yaml` and secrets, or `wrangler.toml`; it never replaces a file',
    )
    .option('--json', 'print the plan as JSON')
    .addHelpText('after', EXAMPLES)
    .action(plan)
}

async function plan(name: string, flags: PlanFlags): Promise<void> {
  const { from, profile, variable, write, json } = flags
  const target = DEPLOY_TARGETS.get(name)
  if (!target)
    throw new CommandFailure(`there is no target "${name}"; there are ${NAMES.join(', ')}`)
  const application = await loadApplication(from, [], { profile })
  const { manifest } = application
  const folders = [process.cwd(), manifest.folder]
  const planned = await planDeployment(manifest, target, variable, folders)
  // What the plan asks for is part of the command, so that it can be copied.
  const asked = planned.findings.flatMap(({ variable = [] }) => variable)
  const withValues = { toSet: [...asked, ...planned.toSet] }
  const steps = stepsFor(name, withValues, basename(manifest.file))
  const names = asked.map((each) => each.replace(/=.*/, ''))
  const files = filesFor(name, manifest, { toSet: [...names, ...planned.toSet] })
  const written = write === undefined ? [] : await writeNew(write, files, name)
  // Only where bytes count: measuring takes a build.
  const groups = target.applicationBytes === undefined ? [] : await suggestGroups(application)
  const problems = planned.findings.filter(({ level }) => level === 'problem').length
  if (json) {
    const { components, bytes, findings, toSet } = planned
    const { title, facts } = target
    const all = { target: name, title, bytes, components, findings, problems }
    lineJson({ ...all, variables: toSet, groups, steps, limits: facts, written }, 2)
  } else {
    line(`${manifest.application.name} on ${target.title}\n`)
    if (!target.isBridge) for (const row of table(planned)) line(row)
    line()
    for (const finding of planned.findings) line(findingLines(finding))
    for (const row of groupLines(groups)) line(row)
    line(paint('bold', '\nLimits to know'))
    for (const fact of target.facts) line(`  ${fact}`)
    line(paint('bold', '\nCommands'))
    for (const step of steps) line(`  ${step}`)
    for (const path of written) line(`\nWrote ${path}`)
    if (write === undefined && files.size > 0) {
      line(paint('dim', `\n--write <folder> writes ${[...files.keys()].join(', ')}`))
    }
  }
  if (problems > 0) process.exitCode = 1
}

function groupLines(groups: readonly SuggestedGroup[]): string[] {
  if (groups.length === 0) return []
  return [
    paint('bold', '\nTools with equal rights, as one component'),
    ...groups.flatMap(({ members, bytes, together, command }) => [
      `  ${members.join(', ')}: ${mib(together)} instead of ${mib(bytes)}`,
      `    ${command}`,
    ]),
  ]
}

function table({ components, bytes }: DeployPlan): string[] {
  const rows = components.map(({ id, bytes, hosts, calls, stores }) => [
    id,
    bytes === undefined ? '–' : mib(bytes),
    [...hosts, ...calls.map((called) => (called === '*' ? 'all components' : called))].join(', ') ||
      '–',
    stores.join(', ') || '–',
  ])
  const all = [['component', 'size', 'may reach', 'stores'], ...rows, ['all', mib(bytes), '', '']]
  const widths = [0, 1, 2].map((at) => Math.max(...all.map((row) => (row[at] ?? '').length)))
  return all.map((row) =>
    visible(`  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()),
  )
}
