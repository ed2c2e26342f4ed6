/** A graph in its place: the graph of a file, or a subgraph inside one of its nodes. */
import { isNested } from 'ftl-contract'
import { ConversionError } from './error.ts'
import type { EditorGraph, EditorInput, EditorNode, EditorWorkflow, Subgraph } from './format.ts'
import type { Shown } from './shown-values.ts'
import { type NodeValues, nodeValues } from './values.ts'
import { type ObjectInfo, type Slot, slotsOf } from './widgets.ts'

export interface Host {
  scope: Scope
  node: EditorNode
  subgraph: Subgraph
}

export interface Scope {
  graph: EditorGraph
  /** Of the ids in the API format: `57:`. */
  prefix: string
  host?: Host
}

/** Links and inputs that are looked at; the largest of the official templates need less than a hundredth. */
const MAX_WORK = 2_000_000
/** Of the workflow in the API format: a subgraph in many places repeats its texts. */
const MAX_CHARACTERS = 8_000_000
/** Subgraphs inside subgraphs, and lists inside lists. */
export const MAX_DEPTH = 50

export const NESTED = 'its subgraphs are inside each other'

/** A workflow and what the server says of its classes. */
export class Context {
  readonly workflow: EditorWorkflow
  readonly #info: ObjectInfo
  readonly #known = new Map<EditorNode, NodeValues | undefined>()
  readonly #shown = new Map<Subgraph, Shown[]>()
  #left = MAX_WORK
  #characters = MAX_CHARACTERS
  #depth = 0

  constructor(workflow: EditorWorkflow, info: ObjectInfo) {
    this.workflow = workflow
    this.#info = info
  }

  /**
   * Counts what is looked at.
   *
   * @throws {ConversionError} for a file that was made to take very long.
   */
  spend(cost: number): void {
    this.#left -= cost
    if (this.#left < 0) throw new ConversionError('it has too many links, inputs and texts')
  }

  /**
   * Counts the characters of what is written, before it is.
   *
   * @throws {ConversionError}
   */
  write(value: unknown, depth = 0): void {
    if (depth > MAX_DEPTH) throw new ConversionError('one of its values has too many lists inside')
    this.#characters -= typeof value === 'string' ? value.length + 1 : 1
    if (this.#characters < 0)
      throw new ConversionError(`it becomes longer than ${MAX_CHARACTERS} characters`)
    if (!isNested(value)) return
    for (const [name, inner] of Object.entries(value)) {
      this.write(name)
      this.write(inner, depth + 1)
    }
  }

  subgraphOf({ type }: EditorNode): Subgraph | undefined {
    return this.workflow.subgraphs.get(type)
  }

  /** @returns `undefined` for a class that the server does not have. */
  known(node: EditorNode): NodeValues | undefined {
    if (this.#known.has(node)) return this.#known.get(node)
    const slots = slotsOf(node.type, this.#info)
    const known = slots && nodeValues(node, slots)
    this.#known.set(node, known)
    return known
  }

  /** What a subgraph shows is the same in each of its places; nothing, while it is looked for inside itself. */
  shown(subgraph: Subgraph, find: () => Shown[]): Shown[] {
    const known = this.#shown.get(subgraph)
    if (known) return known
    if (this.#depth > MAX_DEPTH) throw new ConversionError(NESTED)
    this.#shown.set(subgraph, [])
    this.#depth++
    const found = find()
    this.#depth--
    this.#shown.set(subgraph, found)
    return found
  }

  /** The inputs of a node in the editor's order: those of its class, and those that only the file has. */
  inputsOf(node: EditorNode): EditorInput[] {
    const saved = new Map(node.inputs.map((input) => [input.name, input]))
    const subgraph = this.subgraphOf(node)
    const slots = this.known(node)?.slots ?? []
    this.spend(node.inputs.length + slots.length)
    const own = subgraph ? subgraph.inputs.map(({ name }) => name) : slots.map(({ name }) => name)
    const types = new Map(slots.map(({ name, type }) => [name, type]))
    const further = furtherNames([...saved.keys()], slots)
    const names = new Set([...own, ...further])
    return [...names].map((name) => saved.get(name) ?? { name, type: types.get(name) ?? '*' })
  }
}

/** Names that only the file has. Those of a choice that is no longer made are dropped, with their links. */
function furtherNames(saved: readonly string[], slots: readonly Slot[]): string[] {
  const own = new Set(slots.map(({ name }) => name))
  const choices = slots.filter(({ widget }) => widget?.byChoice).map(({ name }) => name)
  const lists = [...new Set(slots.flatMap(({ grows }) => grows ?? []))]
  return saved.filter((name) => {
    const isOfChoice = choices.some((choice) => name.startsWith(`${choice}.`))
    return !isOfChoice || own.has(name) || lists.some((list) => name.startsWith(list))
  })
}

/** The inside of a node that is a subgraph. */
export function enter(scope: Scope, node: EditorNode, subgraph: Subgraph): Scope {
  const prefix = `${scope.prefix}${node.id}:`
  return { graph: subgraph, prefix, host: { scope, node, subgraph } }
}
