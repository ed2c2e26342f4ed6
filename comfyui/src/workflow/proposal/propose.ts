/** A first configuration for a workflow: the inputs people change, as fields. */
import { toolName } from 'ftl-contract'
import { type Finding, hasErrors, readJson, reporter, type SourceFile } from '../finding.ts'
import type { NodeClasses } from '../node-checks.ts'
import { linkOf, readWorkflowText } from '../workflow-text.ts'
import { type Graph, toGraph } from './graph.ts'
import { ADDRESS, markedDraft } from './marked-inputs.ts'
import { merge } from './merge.ts'
import type { Draft, ProposedField, ProposedTool } from './proposed.ts'
import { textDrafts } from './texts.ts'
import { valueDraft } from './values.ts'

/**
 * @param stem the file's name without `.json`.
 * @param classes what the server has; limits and choices are left out without it.
 * @returns no tool when the workflow cannot be used; the findings say why.
 */
export function proposeTool(
  file: SourceFile,
  stem: string,
  classes?: NodeClasses,
): { tool?: ProposedTool; findings: Finding[] } {
  const report = reporter(file)
  const root = readJson(file, report)
  const workflow = root && readWorkflowText(root, report)
  if (!workflow || hasErrors(report.findings)) return { findings: report.findings }
  const whole = toGraph(workflow, classes)
  const marked = [...workflow.nodes.values()].flatMap((node) => markedDraft(node, whole) ?? [])
  const graph = without(whole, new Set(marked.map(({ mapping }) => mapping.node)))
  for (const { name, description, mapping } of marked) {
    if (!description.includes(ADDRESS)) continue
    const problem = `the field "${name}" is an address that the ComfyUI server fetches, also within its own network`
    const fix = 'remove the field if callers must not choose it'
    report.warn(workflow.nodes.get(mapping.node)?.start ?? 0, problem, fix)
  }
  const asked = marked.filter(({ type, required }) => type === 'string' && required)
  const texts = textDrafts(graph, { hasMain: asked.length > 0 })
  const isText = new Set(texts.map(({ mapping }) => keyOf(mapping)))
  const values = valueDrafts(graph).filter(({ mapping }) => !isText.has(keyOf(mapping)))
  // A prompt comes first, because that is what a caller thinks of first.
  const rank = ({ name: field, required }: ProposedField) =>
    /prompt|text/.test(field) || (required && isFirst.has(field)) ? 0 : field === 'seed' ? 2 : 1
  const isFirst = new Set([...marked, ...texts].map((draft) => draft.name))
  const fields = merge([...marked, ...texts, ...values]).sort((a, b) => rank(a) - rank(b))
  const tool = { name: toolName(stem), description: `Runs the ComfyUI workflow "${stem}"`, fields }
  return { tool, findings: report.findings }
}

/** What leads where stays known. */
function without(graph: Graph, ids: ReadonlySet<string>): Graph {
  const nodes = new Map([...graph.workflow.nodes].filter(([id]) => !ids.has(id)))
  return { ...graph, workflow: { ...graph.workflow, nodes } }
}

function valueDrafts(graph: Graph): Draft[] {
  const { text, nodes } = graph.workflow
  return [...nodes.values()].flatMap((node) =>
    [...node.inputs].flatMap(([inputName, json]) =>
      linkOf(text, json) === undefined ? (valueDraft(node, inputName, json, graph) ?? []) : [],
    ),
  )
}

function keyOf({ node, attribute }: Draft['mapping']): string {
  return JSON.stringify([node, attribute])
}
