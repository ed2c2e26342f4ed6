/** What only the editor renders: whether a workflow uses it, and what a workflow is sent with instead of it. */
import { asObject } from 'ftl-contract'
import { editorView, slotsByMember, VIEW_CLASSES } from '../client/editor-views.ts'
import { isLink } from '../client/nodes.ts'
import { readJson, type Reporter, reporter } from './finding.ts'
import { valueAt } from './json-text.ts'
import { type Edit, splice } from './splice.ts'
import {
  linkOf,
  nameOf,
  type NodeText,
  readWorkflowText,
  type WorkflowText,
} from './workflow-text.ts'

/** By node, the outputs that other nodes are linked to, each with the first such node. */
type Links = ReadonlyMap<string, ReadonlyMap<number, NodeText>>

/**
 * Reports views that other nodes use: without the editor the view is missing, or shows the author's model.
 *
 * @param needed nodes that a result depends on.
 * @param outputsOf types of a class's outputs on the server, where they are known.
 */
export function checkEditorViews(
  workflow: WorkflowText,
  needed: ReadonlySet<string>,
  report: Reporter,
  outputsOf: (node: NodeText) => readonly string[] | undefined,
): void {
  const nodes = [...workflow.nodes.values()].filter(({ classType }) => editorView(classType))
  if (nodes.length === 0) return
  const links = linksIn(workflow, ({ id }) => needed.has(id))
  for (const node of nodes) {
    const view = editorView(node.classType, outputsOf(node))
    if (!view || isLinked(workflow, node, view.input)) continue
    const given = filesIn(workflow, node, view.input)
    for (const [slot, member] of view.files) {
      const user = links.get(node.id)?.get(slot)
      if (!user) continue
      const loader = member === 'recording' ? 'LoadVideo' : 'LoadImage'
      const fix = `link ${nameOf(user)} to a ${loader} node instead, so that a caller can send the file`
      const about = `${nameOf(user)} uses the ${member} of ${nameOf(node)}, which only the editor renders`
      if (isFile(given[member])) {
        const deleted = `${about}; ComfyUI deletes it when it starts, and it shows the author's model`
        report.warn(node.start, deleted, fix)
      } else report.error(node.start, about, fix)
    }
  }
}

/**
 * The workflow with stand-ins for views that it lacks or does not use, because the nodes read them in any case. A node that
 * lacks a picture which is used stays as it is: the server refuses it, instead of computing with a grey pixel.
 *
 * @param text JSON of the nodes; everything else in it stays unchanged.
 * @param upload a picture; @returns the value for an input that loads it. It is called at most once.
 */
export async function withStandIns(text: string, upload: () => Promise<string>): Promise<string> {
  // Most workflows have no such node, and may be large.
  if (!VIEW_CLASSES.some((name) => text.includes(`"${name}"`))) return text
  const file = { path: 'workflow', text }
  const report = reporter(file)
  const root = readJson(file, report)
  const workflow = root && readWorkflowText(root, report)
  if (!workflow) return text
  const links = linksIn(workflow, () => true)
  const edits: Edit[] = []
  let picture: string | undefined
  for (const node of workflow.nodes.values()) {
    const view = editorView(node.classType)
    if (!view || isLinked(workflow, node, view.input)) continue
    const before = filesIn(workflow, node, view.input)
    const isUsed = (slot: number) => links.get(node.id)?.has(slot) === true
    if (
      [...view.files].some(
        ([slot, member]) => isPicture(member) && isUsed(slot) && !isFile(before[member]),
      )
    )
      continue
    const value: Record<string, unknown> = { ...before }
    for (const [member, slots] of slotsByMember(view)) {
      if (isFile(before[member]) && slots.some(isUsed)) continue
      value[member] = isPicture(member) ? (picture ??= await upload()) : ''
    }
    // Without a camera the server chooses one that shows the whole model.
    if (view.files.size > 0) value['camera_info'] ??= null
    const edit = editOf(node, view.input, value)
    if (edit) edits.push(edit)
  }
  return splice(text, edits)
}

/** @returns `undefined` for a node without `inputs`, which has no model either. */
function editOf(
  { inputs, firstInputAt: at }: NodeText,
  name: string,
  value: unknown,
): Edit | undefined {
  const json = JSON.stringify(value)
  const before = inputs.get(name)
  if (before) return { start: before.start, end: before.end, json }
  const comma = inputs.size > 0 ? ',' : ''
  return at === undefined
    ? undefined
    : { start: at, end: at, json: `${JSON.stringify(name)}:${json}${comma}` }
}

function linksIn({ text, nodes }: WorkflowText, counts: (node: NodeText) => boolean): Links {
  const links = new Map<string, Map<number, NodeText>>()
  for (const node of nodes.values()) {
    if (!counts(node)) continue
    for (const json of node.inputs.values()) {
      const link = json.kind === 'list' && json.items.length === 2 ? valueAt(text, json) : undefined
      if (!isLink(link)) continue
      const [source, slot] = link
      const slots = links.get(source) ?? new Map<number, NodeText>()
      links.set(source, slots.has(slot) ? slots : slots.set(slot, node))
    }
  }
  return links
}

/** Whether another node makes the view. */
function isLinked({ text }: WorkflowText, node: NodeText, input: string): boolean {
  const json = node.inputs.get(input)
  return json !== undefined && linkOf(text, json) !== undefined
}

function filesIn({ text }: WorkflowText, node: NodeText, input: string): Record<string, unknown> {
  const json = node.inputs.get(input)
  return json?.kind === 'object' ? asObject(valueAt(text, json)) : {}
}

/** A node without a recording passes on no video. */
function isPicture(member: string): boolean {
  return member !== 'recording'
}

function isFile(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
