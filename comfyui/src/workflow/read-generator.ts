/** How a missing value is made, and the limits of numbers, as the configuration says them. */
import type { FieldType, Generator } from './field.ts'
import type { Reporter } from './finding.ts'
import { isImprecise, type JsonNode, type JsonObject, valueAt } from './json-text.ts'
import { readMembers } from './read-members.ts'

export function readGenerator(
  node: JsonNode | undefined,
  type: FieldType,
  report: Reporter,
): Generator | undefined {
  if (!node) return undefined
  // The short form `"generator": "seed"` means the same.
  const object: JsonObject | undefined = node.kind === 'object' ? node : undefined
  const members = object && readMembers(object, 'a generator', ['type', 'options'], report)
  const typeNode = members?.get('type') ?? (object ? undefined : node)
  const kind = typeNode && valueAt(report.text, typeNode)
  if (kind !== 'seed' && kind !== 'random') {
    report.error((typeNode ?? node).start, 'there is no such generator', 'use "seed" or "random"')
    return undefined
  }
  if (kind === 'seed' ? type !== 'integer' : type === 'object' || type === 'array') {
    const fix = kind === 'seed' ? 'make the field an "integer"' : 'use it for a simple type'
    report.error(node.start, `the generator "${kind}" makes no ${type}`, fix)
  }
  const options = members?.get('options')
  if (!options) return { type: kind }
  const limits = readMembers(options, '"options"', ['min', 'max', 'strategy'], report)
  if (!limits) return { type: kind }
  const generator: Generator = {
    type: kind,
    ...readLimit('min', limits, type, report),
    ...readLimit('max', limits, type, report),
  }
  const { min = -Infinity, max = Infinity } = generator
  if (min > max) report.error(options.start, '"min" is larger than "max"', 'exchange them')
  return generator
}

export function readLimit<Key extends string>(
  key: Key,
  members: ReadonlyMap<string, JsonNode>,
  type: FieldType,
  report: Reporter,
): Partial<Record<Key, number>> {
  const node = members.get(key)
  if (!node) return {}
  const value = valueAt(report.text, node)
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    report.error(node.start, `"${key}" must be a number`, 'write a number')
    return {}
  }
  if (type !== 'integer' && type !== 'number') {
    report.error(
      node.start,
      `"${key}" has no meaning for a ${type}`,
      'remove it, or change the type',
    )
  }
  if (!isImprecise(report.text, node)) return { [key]: value } as Record<Key, number>
  const most = value < 0 ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER
  const message = `"${key}" is beyond what a JSON number can hold exactly, so ${most} is used`
  report.warn(node.start, message, `write ${most}`)
  return { [key]: most } as Record<Key, number>
}
