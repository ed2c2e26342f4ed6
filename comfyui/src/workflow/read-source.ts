/** Reads one file that defines tools: a configuration with its workflows, or a workflow without a configuration. */
import { toolName } from 'ftl-contract'
import { compileTool, type PlannedField, type WorkflowTool } from './compile.ts'
import { checkField } from './field-checks.ts'
import {
  type Finding,
  hasErrors,
  readJson,
  type Reporter,
  reporter,
  type SourceFile,
} from './finding.ts'
import { checkNodes, type NodeClasses } from './node-checks.ts'
import { readToolConfigs, type ToolConfig } from './tool-config.ts'
import { isEditorText, readWorkflowText, type WorkflowText } from './workflow-text.ts'

export interface SourceTool {
  tool: WorkflowTool
  /** File name in `workflows/`. */
  workflow: string
  /** Line of the tool in its file, from 1. */
  line: number
}

/** Result of reading one file, as plain JSON; valid until one of `reads` changes. */
export interface Source {
  /** `config/example.json` or `workflows/example.json`. */
  path: string
  /** Files in `workflows/` it depends on, including those that it looked for and did not find. */
  reads: string[]
  tools: SourceTool[]
  findings: Finding[]
}

/** The workflows of a folder. */
export interface WorkflowFolder {
  names: ReadonlySet<string>
  open(name: string): Promise<SourceFile>
}

export interface SourceOptions {
  /** Node classes of the server. @default classes, types and limits are not checked */
  classes?: NodeClasses
}

/** Start of the description of a tool without a configuration. */
const NO_DESCRIPTION = 'Runs the ComfyUI workflow'

export async function readConfigSource(
  config: SourceFile,
  folder: WorkflowFolder,
  options: SourceOptions = {},
): Promise<Source> {
  const report = reporter(config)
  const stem = stemOf(config.path)
  const source: Source = { path: config.path, reads: [], tools: [], findings: report.findings }
  const root = readJson(config, report)
  // A workflow whose configuration is broken must not become a tool without parameters.
  if (!root) return { ...source, reads: [`${stem}.json`] }
  const workflows = new Map<string, Promise<Opened>>()
  const open = (name: string) => {
    const known = workflows.get(name) ?? openWorkflow(name, folder)
    workflows.set(name, known)
    return known
  }
  const configs = readToolConfigs(root, stem, report)
  if (configs.length === 0) source.reads.push(`${stem}.json`)
  for (const each of configs) {
    const { candidates, name } = candidatesOf(each, stem, folder.names)
    source.reads.push(...candidates)
    report.tool = each.name
    if (name === undefined) {
      const wanted = candidates.map((file) => `"${file}"`).join(' or ')
      const fix = `put ${wanted} there, or name another file in "workflow"`
      report.error(each.at, `"workflows" has no file ${wanted}`, fix)
      // A workflow file named after the tool must not replace it with a tool without parameters.
      source.reads.push(`${each.name}.json`)
      continue
    }
    const { workflow, report: opened } = await open(name)
    // Also check a tool that is not usable, so that all its errors are reported at once.
    const tool = workflow && toTool(each, workflow, report, options)
    const findings = [
      ...opened.findings,
      ...(workflow ? nodeFindings(workflow, opened, options, tool?.fields) : []),
    ]
    for (const finding of findings) report.findings.push({ ...finding, tool: each.name })
    if (tool && each.usable && !hasErrors(findings))
      source.tools.push({ tool, workflow: name, line: lineOf(report.text, each.at) })
  }
  source.reads = [...new Set(source.reads)]
  return source
}

/** The name of the file that `ftl workflows init` writes when it converts one of the editor's format. */
export function convertedName(name: string): string {
  return `${name.replace(/\.json$/i, '')}.api.json`
}

/** Turns a workflow that no configuration mentions into a tool without parameters. */
export async function readBareSource(
  name: string,
  folder: WorkflowFolder,
  options: SourceOptions = {},
): Promise<Source> {
  const { workflow, report, isEditors } = await openWorkflow(name, folder)
  const reads = isEditors ? [name, convertedName(name)] : [name]
  // The file that the other one was made of is kept, so that it can be changed in the editor.
  if (isEditors && folder.names.has(convertedName(name))) {
    return { path: `workflows/${name}`, reads, tools: [], findings: [] }
  }
  const findings = [
    ...report.findings,
    ...(workflow ? nodeFindings(workflow, report, options) : []),
  ]
  const stem = stemOf(name)
  const usable = toolName(stem || 'workflow')
  const source: Source = {
    path: `workflows/${name}`,
    reads,
    tools: [],
    findings: findings.map((finding) => ({ ...finding, tool: usable })),
  }
  if (!workflow || hasErrors(findings)) return source
  const config = { name: usable, description: `${NO_DESCRIPTION} "${stem}"`, fields: [] }
  const tool = compileTool(config, workflow, reporter({ path: source.path, text: workflow.text }))
  if (tool) source.tools.push({ tool, workflow: name, line: 1 })
  return source
}

function toTool(
  config: ToolConfig,
  workflow: WorkflowText,
  report: ReturnType<typeof reporter>,
  { classes }: SourceOptions,
): WorkflowTool | undefined {
  const before = report.findings.length
  const tool = compileTool(config, workflow, report)
  if (tool && classes) {
    tool.fields.forEach((field, index) => {
      const at = config.fields[index]?.at ?? config.at
      checkField(field, workflow, classes, { at, report })
    })
  }
  return hasErrors(report.findings.slice(before)) ? undefined : tool
}

interface Opened {
  workflow?: WorkflowText
  /** The file is in the format of the editor, which cannot be run. */
  isEditors: boolean
  report: Reporter
}

async function openWorkflow(name: string, folder: WorkflowFolder): Promise<Opened> {
  const file = await folder.open(name)
  const report = reporter(file)
  const root = readJson(file, report)
  const workflow = root && readWorkflowText(root, report)
  return {
    report,
    isEditors: root !== undefined && isEditorText(root),
    ...(workflow && { workflow }),
  }
}

/** @param fields of a tool: what each call replaces is not checked, because it may be a placeholder. */
function nodeFindings(
  workflow: WorkflowText,
  { path, text }: Pick<Reporter, 'path' | 'text'>,
  { classes }: SourceOptions,
  fields: readonly PlannedField[] = [],
): Finding[] {
  const report = reporter({ path, text })
  const replaced = fields
    .filter((field) => field.required || 'default' in field || field.generator)
    .flatMap(({ targets }) => targets)
  checkNodes(workflow, classes, report, replaced)
  return report.findings
}

/** The tool's own name takes precedence over its file's name, because a file may define several tools. */
function candidatesOf(
  { workflow, name }: ToolConfig,
  stem: string,
  names: ReadonlySet<string>,
): { candidates: string[]; name: string | undefined } {
  if (workflow !== undefined) {
    return { candidates: [workflow], name: names.has(workflow) ? workflow : undefined }
  }
  const possible = [...new Set([`${name}.json`, `${stem}.json`])]
  const at = possible.findIndex((each) => names.has(each))
  // Candidates after the first existing file were not looked up, so the source does not depend on them.
  return { candidates: at === -1 ? possible : possible.slice(0, at + 1), name: possible[at] }
}

function stemOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.json$/i, '')
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}
