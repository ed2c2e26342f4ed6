/** Where a mapping leads in a workflow. */
import type { Reporter } from './finding.ts'
import type { JsonNode, Span } from './json-text.ts'
import type { Mapping } from './read-mapping.ts'
import { linkOf, nameOf, type NodeText, type WorkflowText } from './workflow-text.ts'

/** One value of a workflow; offsets count from the beginning of its nodes. */
export interface Target extends Span {
  nodeId: string
  inputName: string
}

/** How many names a message lists. */
const SHOWN = 8

/** @returns `undefined` when it leads nowhere, which is reported. */
export function findTarget(
  mapping: Mapping,
  workflow: WorkflowText,
  report: Reporter,
): Target | undefined {
  const node = findNode(mapping, workflow, report)
  if (!node) return undefined
  const place = findInput(mapping, node, report)
  if (!place) return undefined
  const { inputName, value } = place
  const linked = linkOf(workflow.text, value)
  if (linked !== undefined) {
    const source = workflow.nodes.get(linked)
    const fix = `map to ${source ? nameOf(source) : 'the node it comes from'} instead`
    const message = `"${inputName}" of ${nameOf(node)} is linked to node "${linked}" and cannot be set`
    report.error(mapping.at, message, fix)
    return undefined
  }
  const { start } = workflow.body
  return { nodeId: node.id, inputName, start: value.start - start, end: value.end - start }
}

/** By id, else by class. The first of several nodes of a class could be the wrong one, so it is not taken. */
function findNode(
  { node: wanted, at }: Mapping,
  { nodes }: WorkflowText,
  report: Reporter,
): NodeText | undefined {
  const byId = nodes.get(wanted)
  if (byId) return byId
  const ofClass = [...nodes.values()].filter(({ classType }) => classType === wanted)
  if (ofClass.length === 1) return ofClass[0]
  if (ofClass.length > 1) {
    const ids = some(ofClass.map(({ id }) => id))
    report.error(at, `several nodes have the class "${wanted}"`, `name one by its id: ${ids}`)
  } else {
    const known = some(
      [...nodes.values()].map(({ id, classType }) => `${id}" (${classType}`),
      ')',
    )
    report.error(at, `the workflow has no node "${wanted}"`, `use one of ${known}`)
  }
  return undefined
}

function findInput(
  { attribute, at }: Mapping,
  node: NodeText,
  report: Reporter,
): { inputName: string; value: JsonNode } | undefined {
  // Names of inputs may have dots themselves, and even begin like the prefix.
  const path = node.inputs.has(attribute) ? attribute : attribute.replace(/^inputs\./, '')
  const whole = node.inputs.get(path)
  if (whole) return { inputName: path, value: whole }
  const [inputName = '', ...rest] = path.split('.')
  let value = node.inputs.get(inputName)
  for (const key of rest) value = value && below(value, key)
  if (value) return { inputName, value }
  const known = some([...node.inputs].map(([name]) => name))
  const fix = known === '' ? 'map to another node' : `use one of ${known}`
  report.error(at, `${nameOf(node)} has no attribute "${attribute}"`, fix)
  return undefined
}

function below(value: JsonNode, key: string): JsonNode | undefined {
  if (value.kind === 'object') return value.members.get(key)
  return value.kind === 'list' && /^\d{1,6}$/.test(key) ? value.items[Number(key)] : undefined
}

function some(names: readonly string[], end = ''): string {
  const listed = names.slice(0, SHOWN).map((name) => `"${name}${end === '' ? '"' : end}`)
  return names.length > SHOWN ? `${listed.join(', ')} …` : listed.join(', ')
}
