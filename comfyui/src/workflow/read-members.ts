/** Reads the members of a configuration object and reports unknown and duplicate keys. */
import type { Reporter } from './finding.ts'
import { type JsonNode, lineAt } from './json-text.ts'

/** @param what name of the object, used as the start of a sentence. */
export function readMembers(
  node: JsonNode,
  what: string,
  known: readonly string[],
  report: Reporter,
): ReadonlyMap<string, JsonNode> | undefined {
  if (node.kind !== 'object') {
    report.error(node.start, `${what} is an object`, 'write it in braces')
    return undefined
  }
  for (const [key, { start }] of node.members) {
    if (known.includes(key)) continue
    const fix = `remove it, or use one of ${known.map((name) => `"${name}"`).join(', ')}`
    report.warn(start, `${what} has no "${key}"`, fix)
  }
  for (const { at } of node.repeated) {
    const message = `this key is in line ${lineAt(report.text, node.start)}'s object already`
    report.warn(at, `${message}, and the last one counts`, 'remove one')
  }
  return node.members
}

export function reasonNotText({ kind }: JsonNode): string | undefined {
  return kind === 'string' ? undefined : 'must be a string'
}
