/** The rows of the list: tools under the component that they belong to. */
import type { Component, Tool } from '../../net/tools.ts'

export type Row =
  | { kind: 'group'; name: string; status: string; problems: readonly string[]; count: number }
  | { kind: 'tool'; tool: Tool }

/** Tools of the gateway itself, such as get_job. */
const GATEWAY = 'gateway'

/** @param query words, each of which must be in the name, the title or the description. */
export function rowsOf(
  tools: readonly Tool[],
  componentOf: ReadonlyMap<string, string>,
  components: readonly Component[],
  query: string,
): Row[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const groups = new Map<string, Tool[]>()
  // A component without tools is shown for its problems.
  if (words.length === 0) for (const { name } of components) groups.set(name, [])
  for (const tool of tools) {
    if (!matches(tool, words)) continue
    const owner = componentOf.get(tool.name) || (componentOf.size > 0 ? GATEWAY : '')
    const group = groups.get(owner)
    if (group) group.push(tool)
    else groups.set(owner, [tool])
  }
  return [...groups].flatMap(([name, members]): Row[] => {
    const { status = '', problems = [] } = components.find((known) => known.name === name) ?? {}
    if (members.length === 0 && (status === 'ok' || status === '')) return []
    const head: Row = { kind: 'group', name, status, problems, count: members.length }
    const rows = members.map((tool): Row => ({ kind: 'tool', tool }))
    return name === '' ? rows : [head, ...rows]
  })
}

function matches({ name, title, description }: Tool, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const text = `${name} ${title} ${description}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/** A tool's behaviour as its author describes it to clients. */
export function marksOf({ annotations }: Tool): { text: string; title: string; tone: string }[] {
  const { readOnlyHint, destructiveHint, openWorldHint, idempotentHint } = annotations
  return [
    ...(readOnlyHint === true
      ? [{ text: 'read-only', title: 'It changes nothing', tone: 'ok' }]
      : []),
    ...(destructiveHint === true && readOnlyHint !== true
      ? [{ text: 'destructive', title: 'It may delete or overwrite', tone: 'failed' }]
      : []),
    ...(openWorldHint === true
      ? [{ text: 'open world', title: 'It reaches other systems', tone: '' }]
      : []),
    ...(idempotentHint === true
      ? [{ text: 'idempotent', title: 'Calling it twice is as calling it once', tone: '' }]
      : []),
  ]
}
