/**
 * Compares an answer with a recorded one: the same keys and types, and the same values wherever a value does
 * not depend on the machine or the moment.
 */
import { isObject } from 'ftl-contract'

/** Values of the moment or the machine: only the type is compared. */
const VARYING = new Set(
  (
    'timestamp create_time execution_start_time execution_end_time ram_total ram_free vram_total ' +
    'vram_free torch_vram_total torch_vram_free python_version pytorch_version argv installed ' +
    'comfy_package_versions'
  ).split(' '),
)
/** Texts and lists that the simulator words in its own way. */
const PROSE = new Set(
  'tooltip description search_aliases output_tooltips traceback ckpt_name image_type'.split(' '),
)
/** Lists without an order. */
const SETS = new Set(['nodes', 'current_outputs', 'errors'])
/** The output nodes of a prompt in the history, which the server keeps in a set. */
const OUTPUT_NODES = /\.prompt\[4\]$/

export interface CompareOptions {
  /** The server ran before: numbers of prompts and files do not begin at the recorded ones. */
  used: boolean
  /** Paths whose values depend on the machine: of a list only the first item is compared, of a value only the kind. */
  varying?: RegExp
}

/** Differences, each with the path where it is; empty when the answer fits. */
export function differences(
  recorded: unknown,
  actual: unknown,
  options: CompareOptions,
  path = '$',
  key = '',
): string[] {
  const varies = options.varying?.test(path) === true
  if (varies && (recorded === null || actual === null)) return []
  if (kindOf(recorded) !== kindOf(actual)) {
    return [`${path}: recorded ${kindOf(recorded)}, got ${kindOf(actual)} ${show(actual)}`]
  }
  const loose = VARYING.has(key) || PROSE.has(key)
  if (Array.isArray(recorded) && Array.isArray(actual)) {
    if (loose || (options.used && key === 'jobs')) return []
    if (varies) {
      if (recorded.length === 0 || actual.length === 0) return []
      return differences(recorded[0], actual[0], options, `${path}[0]`, key)
    }
    if (recorded.length !== actual.length) {
      return [`${path}: recorded ${recorded.length} items, got ${actual.length} ${show(actual)}`]
    }
    const [left, right] =
      SETS.has(key) || OUTPUT_NODES.test(path)
        ? [sorted(recorded), sorted(actual)]
        : [recorded as unknown[], actual as unknown[]]
    return left.flatMap((item, index) =>
      differences(item, right[index], options, `${path}[${index}]`, key),
    )
  }
  if (isObject(recorded) && isObject(actual)) {
    const keys = new Set([...Object.keys(recorded), ...Object.keys(actual)])
    return [...keys].flatMap((name) => {
      const where = `${path}.${name}`
      if (!(name in actual)) return [`${where}: missing`]
      if (!(name in recorded)) return [`${where}: not recorded, got ${show(actual[name])}`]
      return differences(recorded[name], actual[name], options, where, name)
    })
  }
  if (loose || varies || recorded === actual) return []
  if (withoutFolder(recorded) === withoutFolder(actual)) return []
  if (key === 'details' && sortedLines(recorded) === sortedLines(actual)) return []
  if (options.used && typeof recorded !== 'string') return []
  if (options.used && withoutCounter(recorded) === withoutCounter(actual)) return []
  return [`${path}: recorded ${show(recorded)}, got ${show(actual)}`]
}

function sorted(list: unknown[]): unknown[] {
  return list
    .map((item) => ({ item, text: JSON.stringify(item) ?? '' }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ item }) => item)
}

/** A problem a line, in the order of a set. */
function sortedLines(value: unknown): unknown {
  return typeof value === 'string' ? value.split('\n').sort().join('\n') : value
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Each server has its files in a folder of its own. */
function withoutFolder(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/'\/[^']*\//g, "'/…/") : value
}

function withoutCounter(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/_\d{5}_/, '_N_') : value
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 160) ?? 'undefined'
}
