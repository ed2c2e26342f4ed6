/** The configuration of tools: a list, or an object with `tools`. */
import { toolName } from 'ftl-contract'
import { type ConfiguredField, readField } from './field-config.ts'
import { hasErrors, type Reporter } from './finding.ts'
import { type JsonNode, valueAt } from './json-text.ts'
import { readMembers } from './read-members.ts'

export interface ToolConfig {
  name: string
  title?: string
  description?: string
  /** Name of a file in `workflows/`. @default the tool's or the configuration's name, with `.json` */
  workflow?: string
  fields: ConfiguredField[]
  at: number
  /** Whether it can be used; what was read of it says which workflow it is about. */
  usable: boolean
}

/** What every client takes as a tool's name; one of dots only would be lost in an address. */
const NAME = /^(?!\.+$)[A-Za-z0-9_.-]{1,64}$/
const FILE_NAME = /^[^/\\\u0000]{1,200}\.json$/i
const KEYS = ['name', 'title', 'description', 'workflow', 'fields']

/** @param stem the file's name without `.json`, of which the name of a tool is made that has none. */
export function readToolConfigs(root: JsonNode, stem: string, report: Reporter): ToolConfig[] {
  const list = root.kind === 'object' ? (root.members.get('tools') ?? root) : root
  const nodes = list.kind === 'list' ? list.items : list === root ? [root] : undefined
  if (!nodes || root.kind === 'string' || root.kind === 'number') {
    report.error(list.start, 'there is no list of tools', 'write [ … ] or { "tools": [ … ] }')
    return []
  }
  return nodes.flatMap((node) => readTool(node, stem, report) ?? [])
}

function readTool(node: JsonNode, stem: string, report: Reporter): ToolConfig | undefined {
  delete report.tool
  const before = report.findings.length
  const members = readMembers(node, 'a tool', KEYS, report)
  if (!members) return undefined
  const name = readText('name', members, report) ?? toolName(stem || 'workflow')
  const at = (members.get('name') ?? node).start
  if (NAME.test(name)) {
    report.tool = name
    if (toolName(name) !== name) {
      const problem =
        'OpenAI, Claude Desktop or Gemini refuse each request with a tool of this name, and with it all tools'
      report.warn(at, problem, `write "${toolName(name)}"`)
    }
  } else {
    const fix = 'use 1 to 64 characters of letters, digits, "_", "." and "-"'
    report.error(at, `${JSON.stringify(name.slice(0, 80))} is not a valid tool name`, fix)
  }
  const workflow = readText('workflow', members, report)
  if (workflow !== undefined && !FILE_NAME.test(workflow)) {
    const fix = 'write the name of a file in "workflows", without a path, ending in .json'
    report.error(members.get('workflow')?.start ?? 0, '"workflow" must be a file name', fix)
  }
  const config: ToolConfig = {
    name,
    fields: readFields(members.get('fields'), report),
    at: node.start,
    usable: true,
  }
  const title = readText('title', members, report)
  const description = readText('description', members, report)
  if (title !== undefined) config.title = title
  if (description !== undefined) config.description = description
  if (workflow !== undefined && FILE_NAME.test(workflow)) config.workflow = workflow
  config.usable = !hasErrors(report.findings.slice(before))
  return config
}

function readFields(node: JsonNode | undefined, report: Reporter): ConfiguredField[] {
  if (!node) return []
  if (node.kind !== 'list') {
    report.error(node.start, '"fields" must be a list', 'write it in brackets')
    return []
  }
  const names = new Set<string>()
  const fields = node.items.flatMap((item) => {
    const field = readField(item, report)
    if (!field) return []
    if (names.has(field.name)) {
      report.error(item.start, `there is a field "${field.name}" already`, 'rename one of the two')
    }
    names.add(field.name)
    return field
  })
  for (const { type, of, name, at } of fields) {
    if (type !== 'mask' || fields.some((field) => field.name === of)) continue
    const fix = 'write the name of the image field in "of"'
    report.error(at, `the mask "${name}" belongs to "${of}", which is not a field`, fix)
  }
  return fields
}

function readText(
  key: string,
  members: ReadonlyMap<string, JsonNode>,
  report: Reporter,
): string | undefined {
  const node = members.get(key)
  if (!node) return undefined
  if (node.kind === 'string') return valueAt(report.text, node) as string
  report.error(node.start, `"${key}" must be a string`, 'write it in quotes')
  return undefined
}
