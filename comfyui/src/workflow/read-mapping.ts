/** Where a field's value goes, as the configuration says it. */
import type { Reporter } from './finding.ts'
import { type JsonNode, type Span, valueAt } from './json-text.ts'
import { readMembers } from './read-members.ts'

/** Where a value is written; `at` is where the configuration says so. */
export interface Mapping {
  /** A node's id, or the `class_type` of the only node of that class. */
  node: string
  /** `text`, `inputs.text` or a path below the inputs: `settings.size`. */
  attribute: string
  at: number
}

export function readMappings(node: JsonNode | undefined, field: Span, report: Reporter): Mapping[] {
  const nodes = node?.kind === 'list' ? node.items : node ? [node] : []
  if (nodes.length === 0) {
    const fix = 'add "mapping": { "node": "6", "attribute": "text" }'
    report.error(
      (node ?? field).start,
      'the field has no "mapping", so it would change nothing',
      fix,
    )
  }
  return nodes.flatMap((each) => readMapping(each, report) ?? [])
}

function readMapping(mapping: JsonNode, report: Reporter): Mapping | undefined {
  const members = readMembers(mapping, 'a mapping', ['node', 'attribute'], report)
  if (!members) return undefined
  const node = members.get('node')
  const attribute = members.get('attribute')
  const id = node && /^(?:string|number)$/.test(node.kind) ? valueAt(report.text, node) : undefined
  const path = attribute?.kind === 'string' ? (valueAt(report.text, attribute) as string) : ''
  if (
    (typeof id !== 'string' || id === '') &&
    !(typeof id === 'number' && Number.isSafeInteger(id))
  ) {
    const fix = 'write the id of the node, or the class_type of the only node of a class'
    report.error((node ?? mapping).start, 'the mapping names no "node"', fix)
    return undefined
  }
  if (path === '') {
    const fix = 'write the name of the input, "text" for example'
    report.error((attribute ?? mapping).start, 'the mapping names no "attribute"', fix)
    return undefined
  }
  return { node: String(id), attribute: path, at: mapping.start }
}
