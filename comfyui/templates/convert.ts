/**
 * The editor's format as the API format, as "File → Export (API)" of the editor writes it.
 *
 * Good enough to measure with: nodes of the editor alone (notes, reroutes, primitives), subgraphs, muted and bypassed nodes.
 */
import type {
  EditorGraph,
  EditorInput,
  EditorNode,
  EditorWorkflow,
  Subgraph,
} from './editor-format.ts'
import { type ObjectInfo, widgetValues } from './widgets.ts'

interface ApiNode {
  class_type: string
  inputs: Record<string, unknown>
  _meta: { title: string }
}

export type ApiWorkflow = Record<string, ApiNode>

/** A graph in its place: the graph of a file, or a subgraph in one node of another graph. */
interface Scope {
  graph: EditorGraph
  /** Of the ids in the API format. */
  prefix: string
  parent?: { scope: Scope; node: EditorNode; subgraph: Subgraph }
}

type Source = { link: [id: string, slot: number] } | { value: unknown } | undefined

const MUTED = 2
const BYPASSED = 4
/** Ids of the nodes that stand for the inputs of a subgraph and for its outputs. */
const INPUTS = -10
const OUTPUTS = -20
const NOT_RUN = new Set(['Note', 'MarkdownNote', 'Reroute', 'PrimitiveNode'])
/** More than any file has; a cycle of bypassed nodes has no end. */
const MAX_STEPS = 200

export function toApiFormat(workflow: EditorWorkflow, info: ObjectInfo): ApiWorkflow {
  const nodes: ApiWorkflow = {}
  const addAll = (scope: Scope): void => {
    for (const node of scope.graph.nodes) {
      if (node.mode === MUTED || node.mode === BYPASSED || NOT_RUN.has(node.type)) continue
      const subgraph = workflow.subgraphs.get(node.type)
      if (subgraph) addAll(enter(scope, node, subgraph))
      else nodes[`${scope.prefix}${node.id}`] = toApiNode(node, scope, workflow, info)
    }
  }
  addAll({ graph: workflow, prefix: '' })
  dropLostLinks(nodes)
  return nodes
}

function enter(scope: Scope, node: EditorNode, subgraph: Subgraph): Scope {
  const prefix = `${scope.prefix}${node.id}:`
  return { graph: subgraph, prefix, parent: { scope, node, subgraph } }
}

function toApiNode(
  node: EditorNode,
  scope: Scope,
  workflow: EditorWorkflow,
  info: ObjectInfo,
): ApiNode {
  const inputs = widgetValues(node, info)
  for (const input of node.inputs ?? []) {
    const source = follow(scope, input, workflow)
    if (source) inputs[input.name] = 'link' in source ? source.link : source.value
  }
  return { class_type: node.type, inputs, _meta: { title: node.title ?? node.type } }
}

function follow(
  scope: Scope,
  { link: id }: EditorInput,
  workflow: EditorWorkflow,
  steps = 0,
): Source {
  const link = typeof id === 'number' ? scope.graph.links.find((each) => each.id === id) : undefined
  return link && sourceOf(scope, link.from, link.fromSlot, workflow, steps + 1)
}

function sourceOf(
  scope: Scope,
  from: number | string,
  slot: number,
  workflow: EditorWorkflow,
  steps: number,
): Source {
  if (steps > MAX_STEPS) return undefined
  if (Number(from) === INPUTS) {
    const { parent } = scope
    const name = parent?.subgraph.inputs[slot]?.name
    const outer = parent?.node.inputs?.find((input) => input.name === name)
    const linked = outer && parent && follow(parent.scope, outer, workflow, steps)
    return linked ?? (parent && shownValue(parent.node, parent.subgraph, slot))
  }
  const node = scope.graph.nodes.find(({ id }) => id === from)
  if (!node || node.mode === MUTED) return undefined
  const [first] = node.inputs ?? []
  if (node.type === 'Reroute') return first && follow(scope, first, workflow, steps)
  if (node.mode === BYPASSED) {
    const type = node.outputs?.[slot]?.type
    const same = node.inputs?.[slot]?.type === type ? node.inputs?.[slot] : undefined
    const input = same ?? node.inputs?.find((each) => each.type === type)
    return input && follow(scope, input, workflow, steps)
  }
  if (node.type === 'PrimitiveNode') {
    const values = node.widgets_values
    return { value: Array.isArray(values) ? values[0] : undefined }
  }
  const subgraph = workflow.subgraphs.get(node.type)
  if (!subgraph) return { link: [`${scope.prefix}${node.id}`, slot] }
  const inner = subgraph.links.find(({ to, toSlot }) => Number(to) === OUTPUTS && toSlot === slot)
  return (
    inner && sourceOf(enter(scope, node, subgraph), inner.from, inner.fromSlot, workflow, steps + 1)
  )
}

/** A node of a subgraph shows widgets of the nodes in it, and has their values. */
function shownValue(node: EditorNode, { inputs, links, nodes }: Subgraph, slot: number): Source {
  const values = node.widgets_values
  if (!Array.isArray(values)) return undefined
  const isWidget = (index: number) =>
    links.some(({ from, fromSlot, to, toSlot }) => {
      if (Number(from) !== INPUTS || fromSlot !== index) return false
      return nodes.find(({ id }) => id === to)?.inputs?.[toSlot]?.widget !== undefined
    })
  const shown = inputs.map((_, index) => index).filter(isWidget)
  // Files of older editors have values of other widgets, too.
  if (shown.length !== values.length || !shown.includes(slot)) return undefined
  return { value: values[shown.indexOf(slot)] }
}

/** A node that is left out takes the links to it along. */
function dropLostLinks(nodes: ApiWorkflow): void {
  for (const { inputs } of Object.values(nodes)) {
    for (const [name, value] of Object.entries(inputs)) {
      const isLost =
        Array.isArray(value) &&
        value.length === 2 &&
        typeof value[0] === 'string' &&
        typeof value[1] === 'number' &&
        !Object.hasOwn(nodes, value[0])
      if (isLost) delete inputs[name]
    }
  }
}
