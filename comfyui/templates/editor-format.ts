/** The format of the ComfyUI editor, as far as a conversion to the API format needs it. */

export interface EditorInput {
  name: string
  type: unknown
  link?: number | null
  /** The input is a widget that can be connected, too. */
  widget?: { name: string }
}

export interface EditorNode {
  id: number | string
  /** The class, or the id of a subgraph. */
  type: string
  title?: string
  mode?: number
  inputs?: EditorInput[]
  outputs?: { name: string; type: unknown }[]
  widgets_values?: unknown[] | Record<string, unknown>
}

export interface EditorLink {
  id: number
  from: number | string
  fromSlot: number
  to: number | string
  toSlot: number
}

export interface EditorGraph {
  nodes: EditorNode[]
  links: EditorLink[]
}

export interface Subgraph extends EditorGraph {
  id: string
  inputs: { name: string }[]
  outputs: { name: string }[]
}

export interface EditorWorkflow extends EditorGraph {
  subgraphs: ReadonlyMap<string, Subgraph>
}

type RawLink =
  | [id: number, from: number | string, fromSlot: number, to: number | string, toSlot: number]
  | {
      id: number
      origin_id: number | string
      origin_slot: number
      target_id: number | string
      target_slot: number
    }
interface RawGraph {
  nodes: EditorNode[]
  links?: RawLink[]
}
type RawSubgraph = RawGraph & Pick<Subgraph, 'id' | 'inputs' | 'outputs'>

/** @returns `undefined` if the value is not a workflow of the editor. */
export function readEditorWorkflow(value: unknown): EditorWorkflow | undefined {
  const raw = value as
    (RawGraph & { definitions?: { subgraphs?: RawSubgraph[] } }) | null | undefined
  if (typeof raw !== 'object' || raw === null || !Array.isArray(raw.nodes)) return undefined
  const subgraphs = (raw.definitions?.subgraphs ?? []).map((subgraph) => ({
    ...toGraph(subgraph),
    id: subgraph.id,
    inputs: subgraph.inputs,
    outputs: subgraph.outputs,
  }))
  return { ...toGraph(raw), subgraphs: new Map(subgraphs.map((each) => [each.id, each])) }
}

function toGraph({ nodes, links = [] }: RawGraph): EditorGraph {
  return { nodes, links: links.map(toLink) }
}

function toLink(raw: RawLink): EditorLink {
  if (Array.isArray(raw)) {
    const [id, from, fromSlot, to, toSlot] = raw
    return { id, from, fromSlot, to, toSlot }
  }
  const { id, origin_id, origin_slot, target_id, target_slot } = raw
  return { id, from: origin_id, fromSlot: origin_slot, to: target_id, toSlot: target_slot }
}
