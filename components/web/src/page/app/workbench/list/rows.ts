/** The rows of the list: tools under the component that they belong to, and what else servers offer. */
import type { Component, Tool } from '../../net/tools.ts'

/** One line of the list, which leads to a pane. */
export interface Item {
  /** Name or address, which the server knows it by. */
  key: string
  href: string
  title: string
  marks: readonly Mark[]
  /** What a search looks at, besides. */
  description: string
}

export interface Mark {
  text: string
  title: string
  tone: string
}

export type Row =
  | { kind: 'group'; name: string; status: string; problems: readonly string[]; count: number }
  | { kind: 'item'; item: Item }

/** Tools of the gateway itself, such as get_job. */
const GATEWAY = 'gateway'

/** @param query words, each of which must be in the name, the title or the description. */
export function rowsOf(
  tools: readonly Tool[],
  componentOf: ReadonlyMap<string, string>,
  components: readonly Component[],
  query: string,
): Row[] {
  const words = wordsIn(query)
  const groups = new Map<string, Item[]>()
  // A component without tools is shown for its problems.
  if (words.length === 0) for (const { name } of components) groups.set(name, [])
  for (const tool of tools) {
    const item = toolItem(tool)
    if (!matches(item, words)) continue
    const owner = componentOf.get(tool.name) || (componentOf.size > 0 ? GATEWAY : '')
    const group = groups.get(owner)
    if (group) group.push(item)
    else groups.set(owner, [item])
  }
  return [...groups].flatMap(([name, members]): Row[] => {
    const { status = '', problems = [] } = components.find((known) => known.name === name) ?? {}
    if (members.length === 0 && (status === 'ok' || status === '')) return []
    return groupOf(name, members, { status, problems })
  })
}

/** Rows of items that have no component: under the name of their group, if there is more than one group. */
export function groupedRows(
  groups: readonly { name: string; items: readonly Item[] }[],
  query: string,
): Row[] {
  const words = wordsIn(query)
  return groups.flatMap(({ name, items }) => {
    const found = items.filter((item) => matches(item, words))
    return found.length === 0 ? [] : groupOf(groups.length > 1 ? name : '', found)
  })
}

function groupOf(
  name: string,
  items: readonly Item[],
  { status = '', problems = [] }: { status?: string; problems?: readonly string[] } = {},
): Row[] {
  const rows = items.map((item): Row => ({ kind: 'item', item }))
  return name === ''
    ? rows
    : [{ kind: 'group', name, status, problems, count: items.length }, ...rows]
}

function toolItem(tool: Tool): Item {
  const { name, title, description } = tool
  return {
    key: name,
    href: `#/tools/${encodeURIComponent(name)}`,
    title,
    description,
    marks: marksOf(tool),
  }
}

function wordsIn(query: string): string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}

function matches({ key, title, description }: Item, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const text = `${key} ${title} ${description}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/** A tool's behaviour as its author describes it to clients. */
export function marksOf({ annotations }: Tool): Mark[] {
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
