/** The values of a node's widgets by name; the editor saves them as a list, in the order of `object_info`. */
import type { EditorNode } from './editor-format.ts'

/** `GET /object_info`. */
export type ObjectInfo = Readonly<Record<string, unknown>>

type Group = Record<string, unknown>
interface ClassInfo {
  input?: { required?: Group; optional?: Group }
}

const WIDGETS = new Set(['INT', 'FLOAT', 'STRING', 'BOOLEAN', 'COMBO', 'COLOR'])
/** What the editor adds after a seed. */
const AFTER_SEED = new Set(['fixed', 'increment', 'decrement', 'randomize'])
const UPLOADS = new Set(['image', 'audio', 'video', 'file'])

/** @returns nothing for a class that is not in `info`. */
export function widgetValues(node: EditorNode, info: ObjectInfo): Record<string, unknown> {
  const { widgets_values: values } = node
  if (values && !Array.isArray(values)) return values
  const found: Record<string, unknown> = {}
  const known = Object.hasOwn(info, node.type) ? (info[node.type] as ClassInfo) : undefined
  const left = [...(values ?? [])]
  takeGroup(known?.input?.required, '', left, found)
  takeGroup(known?.input?.optional, '', left, found)
  return found
}

function takeGroup(
  group: Group | undefined,
  prefix: string,
  left: unknown[],
  found: Record<string, unknown>,
): void {
  for (const [name, spec] of Object.entries(group ?? {})) {
    if (left.length > 0 && Array.isArray(spec)) takeInput(prefix + name, spec, left, found)
  }
}

function takeInput(
  name: string,
  [type, more]: unknown[],
  left: unknown[],
  found: Record<string, unknown>,
): void {
  const options = (more ?? {}) as Record<string, unknown>
  const isDynamic = type === 'COMFY_DYNAMICCOMBO_V3'
  if (!isDynamic && !Array.isArray(type) && !WIDGETS.has(String(type))) return
  if (options.forceInput === true) return
  const value = left.shift()
  found[name] = value
  const [next] = left
  const isSeed = /(^|[._])seed$/i.test(name) || options.control_after_generate === true
  if (isSeed || name === 'value') {
    if (typeof next === 'string' && AFTER_SEED.has(next)) left.shift()
  } else if (typeof next === 'string' && UPLOADS.has(next) && isUpload(options)) left.shift()
  if (!isDynamic) return
  const all = options.options as { key: string; inputs?: ClassInfo['input'] }[]
  const inputs = all.find(({ key }) => key === value)?.inputs
  takeGroup(inputs?.required, `${name}.`, left, found)
  takeGroup(inputs?.optional, `${name}.`, left, found)
}

function isUpload(options: Record<string, unknown>): boolean {
  return Object.keys(options).some((key) => key.endsWith('_upload'))
}
