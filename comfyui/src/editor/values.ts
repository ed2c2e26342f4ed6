/** The values of a node's widgets by name, as the editor reads them from a saved node. */
import type { EditorNode } from './format.ts'
import type { Slot, Widget } from './widgets.ts'

export interface NodeValues {
  /** Widgets whose values are sent, in their order. */
  widgets: { widget: Widget; value: unknown }[]
  /** Inputs that the node has with its values, in the editor's order: those of links alone first. */
  slots: Slot[]
}

/** More than any node has; choices inside choices add widgets while the values are read. */
const MAX_SLOTS = 2_000

/**
 * A value that is saved with its name is found by it: places differ where the server's class has other widgets than that of
 * the author.
 *
 * @param slots of the node's class.
 */
export function nodeValues(node: EditorNode, slots: readonly Slot[]): NodeValues {
  if (node.type === 'CustomCombo' && Array.isArray(node.values)) return customCombo(node)
  const take = Array.isArray(node.values)
    ? byPlace(withoutForced(node.values as unknown[], slots), hasButtons(node.values, slots))
    : byName(node.values as Readonly<Record<string, unknown>>)
  const queue = [...slots]
  const active: Slot[] = []
  const widgets: NodeValues['widgets'] = []
  for (let slot = queue.shift(); slot && active.length < MAX_SLOTS; slot = queue.shift()) {
    active.push(slot)
    const { widget } = slot
    if (!widget) continue
    // Each takes its place, whether or not the value there is used.
    const placed = take(widget)
    const value = Object.hasOwn(node.named, widget.name) ? node.named[widget.name] : placed
    if (!widget.isOnlyShown) widgets.push({ widget, value })
    queue.unshift(...chosen(widget, value))
  }
  const sockets = slots.filter(({ widget }) => !widget)
  return { widgets, slots: [...sockets, ...active.filter((slot) => !sockets.includes(slot))] }
}

function byPlace(left: unknown[], withButtons: boolean): (widget: Widget) => unknown {
  let at = 0
  return ({ isUnsaved, isButton, fallback }) => {
    const hasPlace = !isUnsaved && (withButtons || !isButton)
    return hasPlace && at < left.length ? left[at++] : fallback
  }
}

function hasButtons({ length }: readonly unknown[], slots: readonly Slot[]): boolean {
  return length >= slots.filter(({ widget }) => widget && !widget.isUnsaved).length
}

function byName(values: Readonly<Record<string, unknown>>): (widget: Widget) => unknown {
  return ({ name, fallback }) => (Object.hasOwn(values, name) ? values[name] : fallback)
}

function chosen({ byChoice }: Widget, value: unknown): readonly Slot[] {
  if (!byChoice || typeof value !== 'string' || !Object.hasOwn(byChoice, value)) return []
  return byChoice[value] ?? []
}

/** Older editors saved values of inputs that take links alone, too: then there is one for each. */
function withoutForced(values: readonly unknown[], slots: readonly Slot[]): unknown[] {
  const places = slots.filter(({ widget, isForced }) => isForced || widget)
  if (places.length !== values.length) return [...values]
  return values.filter((_, at) => !places[at]?.isForced)
}

/** The editor makes this node's choices itself: the choice, its place in the list, and the list with an empty entry. */
function customCombo({ values }: EditorNode): NodeValues {
  const [choice, , ...saved] = values as unknown[]
  const options = saved.at(-1) ? [...saved, ''] : saved
  const all = options.map((value, at) => ({ widget: { name: `option${at + 1}` }, value }))
  const widgets = [
    { widget: { name: 'choice' }, value: choice },
    { widget: { name: 'index' }, value: options.indexOf(choice) },
    ...all,
  ]
  return { widgets, slots: widgets.map(({ widget }) => ({ name: widget.name, type: '*', widget })) }
}
