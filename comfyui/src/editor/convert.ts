/** The editor's format as the API format, as "File → Export (API)" of the editor writes it. */
import { asObject } from 'ftl-contract'
import { isLink } from '../client/nodes.ts'
import { ConversionError } from './error.ts'
import { follow } from './follow.ts'
import { type EditorNode, readEditorWorkflow } from './format.ts'
import { Context, enter, MAX_DEPTH, NESTED, type Scope } from './scope.ts'
import { givenValue } from './shown-values.ts'
import { firstVariant, toFilePrefix } from './texts.ts'
import { virtualKind } from './virtual.ts'
import type { ObjectInfo, Widget } from './widgets.ts'

export interface ApiNode {
  class_type: string
  inputs: Record<string, unknown>
  _meta: { title: string }
}

export interface Converted {
  workflow: Record<string, ApiNode>
  /** Nodes of classes that the server does not have: their values have no names, so they have none here. */
  missing: { id: string; classType: string }[]
}

/** Subgraphs inside subgraphs make many nodes of a small file. */
const MAX_NODES = 5_000

/**
 * @param value the JSON of a file that the editor saved.
 * @param info what the server says of its classes; more than those of the workflow do no harm.
 * @throws {ConversionError}
 */
export function toApiFormat(value: unknown, info: ObjectInfo): Converted {
  const workflow = readEditorWorkflow(value)
  if (!workflow) throw new ConversionError('this is not a workflow of the ComfyUI editor')
  const context = new Context(workflow, info)
  const nodes = new Map<string, ApiNode>()
  const missing: Converted['missing'] = []
  let count = 0
  const addAll = (scope: Scope, depth: number): void => {
    if (depth > MAX_DEPTH) throw new ConversionError(NESTED)
    const { twice } = scope.graph
    if (twice !== undefined) throw new ConversionError(sameId(twice))
    for (const node of scope.graph.nodes.values()) {
      if (++count > MAX_NODES) throw new ConversionError(`it has more than ${MAX_NODES} nodes`)
      if (node.mode !== 'runs') continue
      const id = `${scope.prefix}${node.id}`
      const subgraph = context.subgraphOf(node)
      if (subgraph) {
        addAll(enter(scope, node, subgraph), depth + 1)
        continue
      }
      if (virtualKind(node.type)) continue
      // A text such as 57:3 is an id, too.
      if (nodes.has(id)) throw new ConversionError(sameId(id))
      if (!context.known(node)) missing.push({ id, classType: node.type })
      nodes.set(id, toApiNode(node, scope, context, info))
    }
  }
  addAll({ graph: workflow, prefix: '' }, 0)
  dropLostLinks(nodes)
  return { workflow: Object.fromEntries(nodes), missing }
}

/** Classes of a workflow of the editor, each once: what a server has to be asked about. */
export function editorClasses(value: unknown): string[] {
  const workflow = readEditorWorkflow(value)
  if (!workflow) return []
  const graphs = [workflow, ...workflow.subgraphs.values()]
  const types = graphs.flatMap(({ nodes }) => [...nodes.values()].map(({ type }) => type))
  return [...new Set(types)].filter(
    (type) => !workflow.subgraphs.has(type) && virtualKind(type) === undefined,
  )
}

function toApiNode(node: EditorNode, scope: Scope, context: Context, info: ObjectInfo): ApiNode {
  const inputs: Record<string, unknown> = {}
  const set = (name: string, value: unknown) => {
    context.write(name)
    context.write(value)
    // A name such as __proto__ is a name, too.
    Object.defineProperty(inputs, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  for (const { widget, value } of context.known(node)?.widgets ?? []) {
    const given = scope.host && givenValue(scope.host, node.id, widget.name)
    const sent = toSent(given ? given.value : value, widget, context)
    if (sent !== undefined) set(widget.name, sent)
  }
  for (const input of context.inputsOf(node)) {
    const source = follow(context, scope, input)
    if (!source) continue
    set(input.name, 'link' in source ? source.link : wrapped(source.value))
  }
  const { display_name: usual } = asObject(info[node.type])
  const title = node.title ?? (typeof usual === 'string' ? usual : node.type)
  for (const text of [scope.prefix, node.id, node.type, title]) context.write(text)
  return {
    class_type: node.type,
    inputs,
    _meta: { title },
  }
}

const sameId = (id: string) =>
  `it has two nodes with the id "${id}": open it in the editor, and save it again`

function toSent(value: unknown, widget: Widget, context: Context): unknown {
  if (typeof value !== 'string') return wrapped(value, widget)
  if (widget.hasVariants) return firstVariant(value, (steps) => context.spend(steps))
  if (widget.name !== 'filename_prefix' || !value.includes('%')) return value
  return toFilePrefix(value, (name, wanted) => namedValue(context, name, wanted))
}

/** A bare list would be a link. */
function wrapped(value: unknown, { isCurve }: Pick<Widget, 'isCurve'> = {}): unknown {
  if (!Array.isArray(value)) return value
  return { ...(isCurve && { __type__: 'CURVE' }), __value__: value as unknown[] }
}

/** The value of a widget that a file name means: `%KSampler.seed%`. */
function namedValue(context: Context, name: string, wanted: string): unknown {
  const { subgraphs, nodes } = context.workflow
  const graphs = [{ nodes }, ...subgraphs.values()]
  for (const graph of graphs) context.spend(graph.nodes.size + 1)
  const all = graphs.flatMap((graph) => [...graph.nodes.values()])
  const node =
    all.find(({ replaceName }) => replaceName === name) ?? all.find(({ title }) => title === name)
  const { widgets = [] } = (node && context.known(node)) ?? {}
  context.spend(widgets.length)
  const value = widgets.find(({ widget }) => widget.name === wanted)?.value
  context.write(value)
  return value
}

/** A node that is left out takes the links to it along. */
function dropLostLinks(nodes: ReadonlyMap<string, ApiNode>): void {
  for (const { inputs } of nodes.values()) {
    for (const [name, value] of Object.entries(inputs)) {
      if (isLink(value) && !nodes.has(value[0])) delete inputs[name]
    }
  }
}
