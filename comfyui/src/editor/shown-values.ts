/** The widgets that a subgraph's node shows. They belong to nodes inside it, and have values of their own. */
import { type EditorNode, type Subgraph, widgetKey } from './format.ts'
import type { Context } from './scope.ts'

/** A box, because a value may be anything. */
export interface Box {
  value: unknown
}

export interface Shown {
  slot: number
  /** The inner node and its widget. */
  source: string
  inner: unknown
}

/** @returns `undefined` for an input that is not a widget. */
export function shownValue(
  context: Context,
  node: EditorNode,
  subgraph: Subgraph,
  slot: number,
): Box | undefined {
  const all = context.shown(subgraph, () => shownBy(context, subgraph))
  context.spend(all.length)
  const at = all.findIndex((each) => each.slot === slot)
  const one = all[at]
  if (!one) return undefined
  const listed = node.shown.size > 0 ? node.shown.get(one.source) : at
  const name = subgraph.inputs[slot]?.name ?? ''
  // Names of inputs differ from each other; those of shown widgets may not.
  const isNamed = node.shown.size === 0 && Object.hasOwn(node.named, name)
  const value = isNamed ? node.named[name] : valuesOf(node)[listed ?? -1]
  return { value: value === undefined ? one.inner : value }
}

/** The value that a subgraph's node gives to a widget inside it which no input of the subgraph stands for. */
export function givenValue(
  { node }: { node: EditorNode },
  id: string,
  widget: string,
): Box | undefined {
  const at = node.shown.get(widgetKey(id, widget))
  const value = at === undefined ? undefined : valuesOf(node)[at]
  return value === undefined ? undefined : { value }
}

function shownBy(context: Context, subgraph: Subgraph): Shown[] {
  return subgraph.inputs.flatMap(({ links }, slot) => {
    for (const id of links) {
      const inner = subgraph.nodes.get(subgraph.links.get(id)?.to ?? '')
      context.spend(inner?.inputs.length ?? 0)
      const input = inner?.inputs.find(({ link }) => link === id)
      if (!inner || !input) continue
      const widget = context.subgraphOf(inner) ? input.name : (input.widget ?? input.name)
      const box = innerValue(context, inner, input.name, widget)
      if (box) return [{ slot, source: widgetKey(inner.id, widget), inner: box.value }]
    }
    return []
  })
}

function innerValue(
  context: Context,
  inner: EditorNode,
  input: string,
  widget: string,
): Box | undefined {
  const nested = context.subgraphOf(inner)
  if (nested) {
    context.spend(nested.inputs.length)
    const slot = nested.inputs.findIndex(({ name }) => name === input)
    return shownValue(context, inner, nested, slot)
  }
  const { widgets = [] } = context.known(inner) ?? {}
  context.spend(widgets.length)
  const found = widgets.find((each) => each.widget.name === widget)
  return found && { value: found.value }
}

function valuesOf({ values }: EditorNode): readonly unknown[] {
  return Array.isArray(values) ? (values as unknown[]) : []
}
