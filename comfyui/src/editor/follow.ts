/** From an input to what it gets: an output of a node that the server runs, or a value. */
import { type EditorInput, type EditorLink, type EditorNode, INPUTS, MAX_NAME } from './format.ts'
import { type Context, enter, type Scope } from './scope.ts'
import { type Box, givenValue, shownValue } from './shown-values.ts'
import { virtualKind } from './virtual.ts'

export type Source = { link: [id: string, slot: number] } | Box | undefined

/** Links, reroutes and bypassed nodes in a row; a cycle of them has no end. */
const MAX_STEPS = 200
/** Of lists of types: those of real nodes cost next to nothing. */
const CHARACTERS_A_STEP = 16

/** @param type of the input that gets it, which a bypassed node has to match. */
export function follow(
  context: Context,
  scope: Scope,
  { link: id, type }: EditorInput,
  wanted = type,
  steps = 0,
): Source {
  const link = id === undefined ? undefined : scope.graph.links.get(id)
  context.spend(1)
  if (!link || steps > MAX_STEPS) return undefined
  if (link.from === INPUTS) return fromOutside(context, scope, link, wanted, steps + 1)
  const node = scope.graph.nodes.get(link.from)
  return node && fromNode(context, scope, node, link.fromSlot, wanted, steps + 1)
}

function fromOutside(
  context: Context,
  { host }: Scope,
  { fromSlot }: EditorLink,
  wanted: string,
  steps: number,
): Source {
  if (!host) return undefined
  const { scope, node, subgraph } = host
  const name = subgraph.inputs[fromSlot]?.name
  context.spend(node.inputs.length)
  const outer = node.inputs.findLast((input) => input.name === name)
  if (outer?.link !== undefined) return follow(context, scope, outer, wanted, steps)
  const given = scope.host && name !== undefined ? givenValue(scope.host, node.id, name) : undefined
  return given ?? shownValue(context, node, subgraph, fromSlot)
}

function fromNode(
  context: Context,
  scope: Scope,
  node: EditorNode,
  slot: number,
  wanted: string,
  steps: number,
): Source {
  if (node.mode === 'muted' || steps > MAX_STEPS) return undefined
  if (node.mode === 'bypassed') {
    const input = bypass(
      context,
      context.inputsOf(node),
      node.outputTypes[slot] ?? '*',
      slot,
      wanted,
    )
    return input && follow(context, scope, input, undefined, steps)
  }
  const subgraph = context.subgraphOf(node)
  if (subgraph) {
    const end = subgraph.ends.get(slot)
    const inner = end && subgraph.nodes.get(end.from)
    const inside = enter(scope, node, subgraph)
    if (end?.from === INPUTS) return fromOutside(context, inside, end, wanted, steps)
    return inner && fromNode(context, inside, inner, end.fromSlot, wanted, steps + 1)
  }
  switch (virtualKind(node.type)) {
    case 'primitive':
      return primitiveValue(node, scope)
    case 'reroute': {
      const [first] = node.inputs
      return first && follow(context, scope, first, wanted, steps)
    }
    case 'get':
      return fromSetter(context, scope, node, wanted, steps)
    case 'note':
    case 'set':
      return undefined
    case undefined:
      return { link: [`${scope.prefix}${node.id}`, slot] }
  }
}

function primitiveValue({ id, values }: EditorNode, { host }: Scope): Box | undefined {
  const given = host && givenValue(host, id, 'value')
  const value = Array.isArray(values) ? (values as unknown[])[0] : undefined
  return given ?? (value === undefined ? undefined : { value })
}

/** The node that sets what another one gets: in the same graph, or in one around it. */
function fromSetter(
  context: Context,
  scope: Scope,
  getter: EditorNode,
  wanted: string,
  steps: number,
): Source {
  const wantedName = nameOf(getter)
  if (wantedName === undefined) return undefined
  for (let at: Scope | undefined = scope; at; at = at.host?.scope) {
    context.spend(at.graph.nodes.size)
    const setter = [...at.graph.nodes.values()].find(
      (node) => virtualKind(node.type) === 'set' && nameOf(node) === wantedName,
    )
    const input = setter?.inputs[0]
    if (setter?.mode === 'muted') return undefined
    if (input) return follow(context, at, input, wanted, steps)
  }
  return undefined
}

/** @returns `undefined` for one that was not chosen, and for one that is longer than any that is typed. */
function nameOf({ values }: EditorNode): string | undefined {
  const name = Array.isArray(values) ? (values as unknown[])[0] : undefined
  return typeof name === 'string' && name !== '' && name.length <= MAX_NAME ? name : undefined
}

/** The input that a bypassed node passes on: the one at the same place if its type fits, else the first that fits. */
function bypass(
  context: Context,
  inputs: readonly EditorInput[],
  output: string,
  slot: number,
  wanted: string,
): EditorInput | undefined {
  if (wanted === '*') return inputs[slot] ?? inputs[0]
  const fits = ({ type }: EditorInput) => {
    context.spend((2 * type.length + output.length + wanted.length) / CHARACTERS_A_STEP)
    return matches(type, output) && matches(type, wanted)
  }
  const same = inputs[slot]
  if (same && fits(same)) return same
  return inputs.find(({ type }) => type === wanted) ?? inputs.find(fits)
}

function matches(one: string, other: string): boolean {
  if (one === '*' || other === '*') return true
  const types = new Set(one.toLowerCase().split(','))
  return other
    .toLowerCase()
    .split(',')
    .some((type) => types.has(type))
}
