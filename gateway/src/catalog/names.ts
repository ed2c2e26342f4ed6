/**
 * Gives every offer the name clients use.
 *
 * @module
 */
import { type Descriptions, type Entry, type Kind, KINDS, type NameClash } from './catalog.ts'
import type { Published } from './discovery.ts'

export interface Names {
  entries: { [K in Kind]: Entry<K>[] }
  /** By component. */
  clashes: Map<string, NameClash[]>
}

/** The first to publish a name keeps it; a later tool or prompt is `component__name`. */
export function assignNames(
  publications: readonly [component: string, published: Published][],
): Names {
  const clashes = new Map<string, NameClash[]>()
  const entriesOf = (kind: Kind): Entry[] => {
    const taken = new Map<string, Entry>()
    for (const [component, { offers, callAt }] of publications) {
      for (const description of offers[kind]) {
        const own = nameOf(kind, description)
        const holder = taken.get(own)
        // A resource is asked for by its uri, so a second name would lead nowhere.
        const renamed = kind === 'tools' || kind === 'prompts' ? `${component}__${own}` : own
        const name = holder ? renamed : own
        const free = !taken.has(name)
        if (holder) {
          const clash: NameClash = { kind, name: own, keptBy: holder.component }
          if (free) clash.listedAs = name
          clashes.set(component, [...(clashes.get(component) ?? []), clash])
        }
        if (free) taken.set(name, { name, component, description, callAt, logging: offers.logging })
      }
    }
    return [...taken.values()]
  }
  const entries = Object.fromEntries(KINDS.map((kind) => [kind, entriesOf(kind)]))
  return { entries: entries as Names['entries'], clashes }
}

function nameOf(kind: Kind, description: Descriptions[Kind]): string {
  if (kind === 'resources') return (description as Descriptions['resources']).uri
  if (kind === 'resourceTemplates')
    return (description as Descriptions['resourceTemplates']).uriTemplate
  return description.name
}
