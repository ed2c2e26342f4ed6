/**
 * Gives every offer the name clients use.
 *
 * @module
 */
import type { Descriptions, Entry, Kind, NameClash } from './catalog.ts'
import type { Published } from './discovery.ts'

export interface Names<K extends Kind> {
  entries: Entry<K>[]
  clashes: (NameClash & { component: string })[]
}

/** Between a component's name and the name of its tool or prompt, where that is taken. */
export const RENAMING = '__'

/** The first to publish a name keeps it; a later tool or prompt is `component__name`. */
export function assignNames<K extends Kind>(
  kind: K,
  publications: readonly [component: string, published: Published][],
): Names<K> {
  const taken = new Map<string, Entry<K>>()
  const clashes: Names<K>['clashes'] = []
  for (const [component, { offers, callAt }] of publications) {
    for (const description of offers[kind] as Descriptions[K][]) {
      const own = nameOf(kind, description)
      const holder = taken.get(own)
      // A resource is asked for by its uri, so a second name would lead nowhere.
      const renamed = kind === 'tools' || kind === 'prompts' ? `${component}${RENAMING}${own}` : own
      const name = holder ? renamed : own
      const free = !taken.has(name)
      if (holder) {
        const clash = { component, kind, name: own, keptBy: holder.component }
        clashes.push(free ? { ...clash, listedAs: name } : clash)
      }
      if (free) taken.set(name, { name, component, description, callAt, logging: offers.logging })
    }
  }
  return { entries: [...taken.values()], clashes }
}

function nameOf(kind: Kind, description: Descriptions[Kind]): string {
  if (kind === 'resources') return (description as Descriptions['resources']).uri
  if (kind === 'resourceTemplates')
    return (description as Descriptions['resourceTemplates']).uriTemplate
  return description.name
}
