/** What was made, for people and for programs. */
import { relative } from 'node:path'
import { clientLines, type McpClient } from './clients.ts'
import { toolName } from './names.ts'
import { type Template, tryCommand } from './template.ts'

export interface Outcome {
  kind: 'application' | 'component'
  name: string
  template: Template
  /** Absolute path of the application. */
  application: string
  /** The component's folder, from the application's. */
  folder: string
  /** Paths of the files, from the application's folder. */
  files: string[]
  /** Parts of a new application: added if it is installed, and to be added otherwise. */
  parts?: string[]
  /** MCP clients that a new application is connected to. */
  clients?: readonly McpClient[]
  /** The lines that `spin.toml` got, where there was one before. */
  manifestLines?: string[]
  /** Packages the application lacks. */
  missing?: string[]
  installed?: boolean
  /** Whether the application is being served, so that it takes up the component by itself. @default false */
  served?: boolean
  dryRun: boolean
}

/** What to type next, in order. */
function nextCommands(
  { kind, name, template, application, parts = [], missing = [], installed, served }: Outcome,
  from: string,
): string[] {
  const path = relative(from, application)
  const commands = path === '' ? [] : [`cd ${path}`]
  if (kind === 'application' && !installed) {
    commands.push('npm install', ...parts.map((part) => `npx ftl add ${part}`))
  }
  if (missing.length > 0) commands.push(`npm install ${missing.join(' ')}`)
  if (!served) commands.push('npm run dev')
  commands.push(tryCommand(name, template))
  return commands
}

/** What `--json` prints. */
export function toJson(outcome: Outcome, from: string): string {
  const { template, clients = [], ...rest } = outcome
  return JSON.stringify(
    {
      ...rest,
      template: template.id,
      clients: clients.map(({ id, file, config }) => ({ id, file, config: config(outcome.name) })),
      tool: toolName(outcome.name),
      next: nextCommands(outcome, from),
    },
    undefined,
    2,
  )
}

/** What a person reads. */
export function toText(outcome: Outcome, from: string): string {
  const { kind, name, template, application, folder, files, manifestLines = [], dryRun } = outcome
  const { clients = [] } = outcome
  const verb = dryRun ? 'Would write' : 'Wrote'
  const what =
    kind === 'application'
      ? `the application ${relative(from, application)}`
      : `the tool ${toolName(name)} into ${folder}`
  const lines = [`${verb} ${what}:`, ...files.map((file) => `  ${file}`)]
  if (manifestLines.length > 0) {
    lines.push(dryRun ? 'Would add to spin.toml:' : 'Added to spin.toml:')
    lines.push(...manifestLines.map((line) => (line === '' ? '' : `  ${line}`)))
  }
  if (outcome.installed && outcome.parts?.length) lines.push(`Added: ${outcome.parts.join(', ')}`)
  if (template.needs !== undefined) lines.push('', `It needs ${template.needs}.`)
  if (!dryRun) {
    const commands = nextCommands(outcome, from).map((command) =>
      command.startsWith('npx ftl call') && !outcome.served
        ? `  ${command}   # in a second terminal`
        : `  ${command}`,
    )
    lines.push('', 'Next:', ...commands)
    if (clients.length > 0) lines.push('', ...clientLines(name, clients))
    if (template.id !== 'workflow') return lines.join('\n')
    lines.push(
      '',
      'Without a ComfyUI of your own, "npm run dev" starts a simulator; COMFYUI_URL names yours.',
    )
  }
  return lines.join('\n')
}
