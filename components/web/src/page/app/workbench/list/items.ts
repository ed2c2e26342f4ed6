/** What a server offers, as groups of items of the list. */
import { type Entry, keyOf } from '../offers/offers.ts'
import { type Item, type Mark, marksOf } from './rows.ts'

interface Group {
  name: string
  items: Item[]
}

/** @param part the view that an item leads to. Resources are grouped by their scheme, as templates are by themselves. */
export function itemsOf(part: string, entries: readonly Entry[]): Group[] {
  const groups = new Map<string, Item[]>()
  for (const entry of entries) {
    const name = groupOf(entry)
    const items = groups.get(name) ?? []
    if (items.length === 0) groups.set(name, items)
    items.push(itemOf(part, entry))
  }
  return [...groups].map(([name, items]) => ({ name, items }))
}

function groupOf(entry: Entry): string {
  if (entry.kind === 'template') return 'Templates'
  if (entry.kind !== 'resource') return ''
  const [scheme = ''] = /^[a-z][\w+.-]{0,30}:\/{0,2}/i.exec(entry.uri) ?? []
  return scheme === '' ? 'Other' : scheme.toLowerCase()
}

function itemOf(part: string, entry: Entry): Item {
  const key = keyOf(entry)
  return {
    key,
    href: `#/${part}/${encodeURIComponent(key.toWellFormed())}`,
    title: entry.title,
    description: entry.description,
    marks: marksFor(entry),
  }
}

const LONGEST_TYPE = 24

function marksFor(entry: Entry): Mark[] {
  if (entry.kind === 'tool') return marksOf(entry)
  if (entry.kind === 'prompt') {
    const { length } = entry.arguments
    const text = `${length} ${length === 1 ? 'argument' : 'arguments'}`
    return length === 0 ? [] : [{ text, title: 'It is filled with these', tone: '' }]
  }
  const { mimeType } = entry
  if (mimeType === '') return []
  return [{ text: mimeType.slice(0, LONGEST_TYPE), title: 'Media type', tone: '' }]
}
