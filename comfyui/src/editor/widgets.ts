/**
 * The widgets of a node class, in the order in which the editor makes them: it saves their values as a list.
 *
 * The order is that of the inputs in `object_info`, with what the editor adds: a control after a seed, a button for uploads.
 */
import { asObject, isObject } from 'ftl-contract'
import { asList, asText } from '../client/narrow.ts'
import { choicesOf } from '../client/nodes.ts'

/** `GET /object_info`, of all classes or of those that a workflow has. */
export type ObjectInfo = Readonly<Record<string, unknown>>

export interface Widget {
  name: string
  /** What a node has that was saved with fewer values. */
  fallback?: unknown
  /** Only the editor has it: its value is saved, and not sent. */
  isOnlyShown?: boolean
  /** A button, which has a place among the values of newer files only. */
  isButton?: boolean
  /** Its value is sent, and not saved. */
  isUnsaved?: boolean
  /** A choice brings further widgets. */
  byChoice?: Readonly<Record<string, readonly Slot[]>>
  /** `{a|b}` in its text means one of both. */
  hasVariants?: boolean
  isCurve?: boolean
}

/** An input of a node: a widget, or a place for a link alone. */
export interface Slot {
  name: string
  type: string
  widget?: Widget
  /** The editor makes a place for a link in any case, but older files have a value for it. */
  isForced?: boolean
  /** Further inputs with this beginning belong to the same growing list. */
  grows?: string
}

/** Types with a widget, and what it shows at first. */
const WIDGETS: Readonly<Record<string, unknown>> = {
  ...{ INT: 0, FLOAT: 0, STRING: '', BOOLEAN: false, COMBO: undefined, COLOR: '#000000' },
  ...{ TEXTAREA: '', MARKDOWN: '', PAINTER: '', COLORS: [], BOUNDING_BOXES: [] },
  ...{ COMPOSITOR: {}, IMAGECOMPARE: ['', ''] },
  CURVE: {
    points: [
      [0, 0],
      [1, 1],
    ],
    interpolation: 'monotone_cubic',
  },
  RANGE: { min: 0, max: 1 },
  BOUNDING_BOX: { x: 0, y: 0, width: 512, height: 512 },
  VIDEO_EDIT: {
    trim: { start_time: 0, duration: 0 },
    crop: { x: 0, y: 0, width: 0, height: 0 },
  },
}
const DYNAMIC_COMBO = 'COMFY_DYNAMICCOMBO_V3'
const GROWING = 'COMFY_AUTOGROW_V3'
const MATCHING = 'COMFY_MATCHTYPE_V3'
/** Levels of choices inside choices; stock nodes have two. */
const MAX_DEPTH = 8
/** Inputs of a growing list before one of them is connected: one more than it needs. */
const MAX_FIRST = 20
/** Lists inside lists multiply; no node has three levels. */
const MAX_GROWING = 3

/** @returns `undefined` for a class that is not in `info`. */
export function slotsOf(classType: string, info: ObjectInfo): Slot[] | undefined {
  if (!Object.hasOwn(info, classType)) return undefined
  const { input, input_order: order } = asObject(info[classType])
  const { required, optional } = asObject(input)
  const { required: first, optional: second } = asObject(order)
  const needed = ordered(required, first)
  const more = ordered(optional, second)
  const slots = toSlots([...needed, ...more], '', 0)
  if (!needed.some(([, spec]) => isUpload(asObject(spec[1])))) return slots
  const button = { name: 'upload', type: 'IMAGEUPLOAD', widget: onlyShown('upload') }
  // Without an order the editor takes it as one of the required inputs.
  const at = isObject(order) ? slots.length : toSlots(needed, '', 0).length
  return slots.toSpliced(at, 0, button)
}

/** The names of a group in the server's order: an object puts names of digits first. */
function ordered(group: unknown, order: unknown): [string, unknown[]][] {
  const all = asObject(group)
  const names = new Set([...asList(order).filter((name) => typeof name === 'string')])
  const first = [...names].filter((name) => Object.hasOwn(all, name))
  const rest = Object.keys(all).filter((name) => !names.has(name))
  return [...first, ...rest].map((name) => [name, asList(all[name])])
}

function toSlots(specs: readonly [string, unknown[]][], prefix: string, depth: number): Slot[] {
  return specs.flatMap(([name, spec]) => toSlot(prefix + name, spec, depth))
}

function toSlot(name: string, [type, more]: unknown[], depth: number): Slot[] {
  const options = asObject(more)
  if (type === DYNAMIC_COMBO)
    return [{ name, type: 'COMBO', widget: dynamic(name, options, depth) }]
  if (type === GROWING) return growing(name, options, depth)
  if (type === MATCHING) {
    return [{ name, type: asText(asObject(options.template).allowed_types) ?? '*' }]
  }
  if (type === 'LOAD_3D') return load3d(name)
  const own = Array.isArray(type) ? 'COMBO' : (asText(type) ?? '*')
  const widgetType = asText(options.widgetType) ?? own
  if (!Object.hasOwn(WIDGETS, widgetType)) return [{ name, type: own }]
  if (options.forceInput === true) return [{ name, type: own, isForced: true }]
  const slot = { name, type: own, widget: toWidget(name, widgetType, [type, options]) }
  return [slot, ...extras(name, widgetType, options)]
}

function toWidget(name: string, type: string, [kind, more]: unknown[]): Widget {
  const options = asObject(more)
  const [first] = choicesOf([kind, options]) ?? []
  const waiting = options.remote === undefined ? undefined : 'Loading...'
  const fallback =
    type === 'COMBO' ? options.default || (first ?? waiting) : (options.default ?? WIDGETS[type])
  return {
    name,
    fallback,
    ...(options.dynamicPrompts === true && { hasVariants: true }),
    ...(type === 'CURVE' && { isCurve: true }),
    ...(type === 'IMAGECOMPARE' && { isUnsaved: true }),
  }
}

/** What the editor puts behind a widget. */
function extras(name: string, type: string, options: Record<string, unknown>): Slot[] {
  const shown = (extra: string) => ({ name: extra, type: '*', widget: onlyShown(extra) })
  if (type === 'BOUNDING_BOX') return ['x', 'y', 'width', 'height'].map(shown)
  const control =
    options.control_after_generate ?? (type === 'INT' && /^(?:noise_)?seed$/.test(name))
  if (!control || !/^(?:INT|FLOAT|COMBO)$/.test(type)) return []
  const names = [typeof control === 'string' ? control : 'control_after_generate']
  if (type === 'COMBO') names.push('control_filter_list')
  return names.map(shown)
}

/** A view that the editor renders and uploads when it sends the workflow: no file has it. */
function load3d(name: string): Slot[] {
  const buttons = ['upload 3d model', 'upload extra resources', 'clear']
  return [
    ...buttons.map((each) => ({
      name: each,
      type: '*',
      widget: { ...onlyShown(each), isButton: true },
    })),
    { name, type: 'LOAD_3D', widget: onlyShown(name) },
  ]
}

function onlyShown(name: string): Widget {
  return { name, isOnlyShown: true }
}

function dynamic(name: string, options: Record<string, unknown>, depth: number): Widget {
  const choices = asList(options.options).flatMap((each) => {
    const { key, inputs } = asObject(each)
    if (typeof key !== 'string') return []
    const { required, optional } = asObject(inputs)
    const specs = [...ordered(required, undefined), ...ordered(optional, undefined)]
    return [[key, depth > MAX_DEPTH ? [] : toSlots(specs, `${name}.`, depth + 1)] as const]
  })
  return { name, fallback: choices[0]?.[0], byChoice: Object.fromEntries(choices) }
}

/** Those that an empty node has; a saved node names the others itself. */
function growing(name: string, options: Record<string, unknown>, depth: number): Slot[] {
  const { input, prefix, names, min } = asObject(options.template)
  const { required, optional } = asObject(input)
  const specs = [...ordered(required, undefined), ...ordered(optional, undefined)]
  const most = depth < MAX_GROWING ? MAX_FIRST : 1
  const count = Math.min((typeof min === 'number' ? min : 1) + 1, most)
  if (depth > MAX_DEPTH) return []
  return Array.from({ length: count }).flatMap((_, at) =>
    specs.flatMap(([key, spec]) => {
      const base = specs.length === 1 ? (asText(prefix) ?? '') : key
      const entry = Array.isArray(names) ? asText(asList(names)[at]) : `${base}${at}`
      const slots = entry === undefined ? [] : toSlot(`${name}.${entry}`, spec, depth + 1)
      return slots.map((slot) => ({ ...slot, grows: `${name}.` }))
    }),
  )
}

function isUpload(options: Record<string, unknown>): boolean {
  return ['image', 'animated_image', 'video', 'audio'].some(
    (kind) => options[`${kind}_upload`] === true,
  )
}
