/**
 * The format of the ComfyUI editor: what "Save" writes, as far as a conversion to the API format needs it.
 *
 * Files come from strangers: one odd node or link costs itself.
 *
 * @see https://docs.comfy.org/specs/workflow_json
 */
import { asObject, isObject } from 'ftl-contract'
import { asList, asNumber, asText } from '../client/narrow.ts'

/** A number, or a text in files of some tools. */
export type NodeId = string

export interface EditorInput {
  name: string
  /** `IMAGE`, or a list as a text: `INT,FLOAT`. */
  type: string
  link?: string
  /** The widget that can be connected by this input. */
  widget?: string
}

export interface EditorNode {
  id: NodeId
  /** The class, or the id of a subgraph. */
  type: string
  title?: string
  mode: 'runs' | 'muted' | 'bypassed'
  inputs: EditorInput[]
  outputTypes: string[]
  /** In the order of the widgets, or by their names. */
  values: readonly unknown[] | Readonly<Record<string, unknown>>
  /** By the names of the widgets, in newer files; empty in others. */
  named: Readonly<Record<string, unknown>>
  /** The name that `%name.widget%` in a file name means. */
  replaceName?: string
  /** Widgets of inner nodes that a subgraph shows, by {@link widgetKey}: older files have their values in this order. */
  shown: ReadonlyMap<string, number>
}

export interface EditorLink {
  from: NodeId
  fromSlot: number
  to: NodeId
  toSlot: number
}

export interface EditorGraph {
  /** An id that two nodes have: links to it mean one of them. */
  twice?: NodeId
  nodes: ReadonlyMap<NodeId, EditorNode>
  links: ReadonlyMap<string, EditorLink>
}

export interface Subgraph extends EditorGraph {
  /** One a slot, with the links inside the subgraph that begin there. */
  inputs: readonly { name: string; links: readonly string[] }[]
  /** By slot: the link inside the subgraph that ends there. */
  ends: ReadonlyMap<number, EditorLink>
}

export interface EditorWorkflow extends EditorGraph {
  subgraphs: ReadonlyMap<string, Subgraph>
}

/** Characters of an id, and of a name that nodes find each other by: each of them is a part of many texts. */
export const MAX_NAME = 200
/** Characters of a list of types. */
const MAX_TYPE = 1_000

/** Ids of what stands for the inputs and the outputs of a subgraph inside it. */
export const INPUTS: NodeId = '-10'
const OUTPUTS: NodeId = '-20'

/** Whether a value is meant to be in this format. */
export function isEditorFormat(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Array.isArray(value.nodes)
}

/** @returns `undefined` if the value is not in this format. */
export function readEditorWorkflow(value: unknown): EditorWorkflow | undefined {
  if (!isEditorFormat(value)) return undefined
  const all = asList(asObject(value.definitions).subgraphs).flatMap((each) => {
    const subgraph = asObject(each)
    const id = idOf(subgraph.id)
    if (id === undefined) return []
    const graph = toGraph(subgraph)
    const begin = linksBySlot(graph)
    const inputs = asList(subgraph.inputs).map((input, slot) => ({
      name: asText(asObject(input).name) ?? '',
      links: begin.get(slot) ?? [],
    }))
    const links = [...graph.links.values()].filter(({ to }) => to === OUTPUTS)
    const ends = new Map(links.reverse().map((link) => [link.toSlot, link]))
    return [[id, { ...graph, inputs, ends }] as const]
  })
  return { ...toGraph(value), subgraphs: new Map(all) }
}

function toGraph(raw: Record<string, unknown>): EditorGraph {
  const nodes = asList(raw.nodes).flatMap((each) => toNode(asObject(each)) ?? [])
  const links = asList(raw.links).flatMap((each) => {
    const link = toLink(each)
    return link ? [link] : []
  })
  const byId = new Map<NodeId, EditorNode>()
  let twice: NodeId | undefined
  for (const node of nodes) {
    if (byId.has(node.id)) twice = node.id
    byId.set(node.id, node)
  }
  return { nodes: byId, links: new Map(links), ...(twice !== undefined && { twice }) }
}

function linksBySlot({ links }: EditorGraph): ReadonlyMap<number, readonly string[]> {
  const bySlot = new Map<number, string[]>()
  for (const [id, { from, fromSlot }] of links) {
    if (from !== INPUTS) continue
    const begin = bySlot.get(fromSlot)
    if (begin) begin.push(id)
    else bySlot.set(fromSlot, [id])
  }
  return bySlot
}

function toNode(raw: Record<string, unknown>): EditorNode | undefined {
  const id = idOf(raw.id)
  const type = asText(raw.type)
  if (id === undefined || type === undefined) return undefined
  const properties = asObject(raw.properties)
  const title = asText(raw.title)
  const replaceName = asText(properties['Node name for S&R'])
  const values = raw.widgets_values
  return {
    id,
    type,
    mode: raw.mode === 2 ? 'muted' : raw.mode === 4 ? 'bypassed' : 'runs',
    inputs: asList(raw.inputs).flatMap((each) => toInput(asObject(each)) ?? []),
    outputTypes: asList(raw.outputs).map((each) => typeOf(asObject(each).type)),
    values: Array.isArray(values) ? (values as unknown[]) : asObject(values),
    named: namedValues(raw),
    shown: shownBy(properties.proxyWidgets),
    ...(title !== undefined && { title }),
    ...(replaceName !== undefined && { replaceName }),
  }
}

/**
 * Newer files say the names beside the values, in the same order. The list decides where both disagree: it is what editors
 * read and what scripts change.
 */
function namedValues(raw: Record<string, unknown>): Readonly<Record<string, unknown>> {
  const named = asObject(raw.widgets_values_named)
  const names = Object.keys(named)
  const listed = asList(raw.widgets_values)
  // Older widgets of the node may have left places without a value at the end.
  const rest = listed.slice(names.length)
  if (names.length > listed.length || rest.some((value) => value !== null)) return named
  return Object.fromEntries(names.map((name, at) => [name, listed[at]]))
}

/** Names a widget of a node inside a subgraph. */
export function widgetKey(node: NodeId, widget: string): string {
  return JSON.stringify([node, widget])
}

function shownBy(list: unknown): Map<string, number> {
  const keys = asList(list).map((each) => {
    const [node, widget] = asList(each)
    return widgetKey(idOf(node) ?? '', asText(widget) ?? '')
  })
  return new Map(keys.map((key, at) => [key, at]))
}

function toInput(raw: Record<string, unknown>): EditorInput | undefined {
  const name = asText(raw.name)
  if (name === undefined) return undefined
  const link = idOf(raw.link)
  const widget = asText(asObject(raw.widget).name)
  return {
    name,
    type: typeOf(raw.type),
    ...(link !== undefined && { link }),
    ...(widget !== undefined && { widget }),
  }
}

/** A list in the graph of a file, an object in a subgraph. */
function toLink(raw: unknown): [string, EditorLink] | undefined {
  const object = asObject(raw)
  const [id, from, fromSlot, to, toSlot] = Array.isArray(raw)
    ? (raw as unknown[])
    : ['id', 'origin_id', 'origin_slot', 'target_id', 'target_slot'].map((name) => object[name])
  const link = { id: idOf(id), from: idOf(from), to: idOf(to) }
  if (link.id === undefined || link.from === undefined || link.to === undefined) return undefined
  return [
    link.id,
    {
      from: link.from,
      fromSlot: asNumber(fromSlot) ?? 0,
      to: link.to,
      toSlot: asNumber(toSlot) ?? 0,
    },
  ]
}

function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.length > MAX_NAME ? undefined : value
  return Number.isInteger(value) ? String(value) : undefined
}

/** A choice among values has its values as the type. */
function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'COMBO'
  const type = asText(value)
  return type === undefined || type === '' ? '*' : type.slice(0, MAX_TYPE)
}
