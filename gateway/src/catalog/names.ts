/** Gives every tool, prompt and resource the name clients use. */
import { pinnedName } from 'ftl-contract'
import type { Descriptions, Entry, Kind, NameClash } from './catalog.ts'
import type { Difference } from './differences.ts'
import type { Published } from './discovery.ts'

export interface Names<K extends Kind> {
  entries: Entry<K>[]
  clashes: (NameClash & { component: string })[]
}

/** Between a component's name and the name of its tool or prompt, where that is taken. */
export const RENAMING = '__'

/**
 * Names of the gateway's own tools. A component that had one of them would be given the ids of other tools' jobs.
 */
export const RESERVED_TOOLS: ReadonlySet<string> = new Set([
  ...['get_job', 'cancel_job'],
  ...['search_tools', 'describe_tools', 'use_tool', 'call_tool'],
])

/** The holder of a reserved name. */
const GATEWAY = 'the gateway'

/**
 * The first to publish a name keeps it; a later tool or prompt is `component__name`. So is one with a name of the
 * gateway's, and one whose name begins like the names that another component's tools get this way.
 */
export function assignNames<K extends Kind>(
  kind: K,
  publications: readonly [component: string, published: Published][],
): Names<K> {
  const taken = new Map<string, Entry<K>>()
  const components = publications.map(([component]) => component)
  const clashes: Names<K>['clashes'] = []
  const added: (() => void)[] = []
  for (const [component, { offers, callAt, differences }] of publications) {
    for (const description of offers[kind] as Descriptions[K][]) {
      const own = pinnedName(kind, description) as string
      const difference = differences && differenceOf(differences, kind, own)
      const { logging, jobs: startsJobs, relays } = offers
      const entry = { component, description, callAt, logging, startsJobs, relays }
      // One that is not pinned must not take a name from one that is, so it comes last, and only where a name is free.
      if (difference?.change === 'added') {
        added.push(() => {
          if (!taken.has(own)) taken.set(own, { name: own, ...entry, difference })
        })
        continue
      }
      const holder = holderOf(kind, own, component)
      // A resource is asked for by its uri, so a second name would lead nowhere.
      const renamed = kind === 'tools' || kind === 'prompts' ? `${component}${RENAMING}${own}` : own
      const name = holder === undefined ? own : renamed
      const free = !taken.has(name)
      if (holder !== undefined) {
        const clash = { component, kind, name: own, keptBy: holder }
        clashes.push(free ? { ...clash, listedAs: name } : clash)
      }
      if (free) taken.set(name, { name, ...entry, ...(difference && { difference }) })
    }
  }
  for (const take of added) take()
  return { entries: [...taken.values()], clashes }

  function holderOf(kind: Kind, own: string, component: string): string | undefined {
    if (kind === 'tools' && RESERVED_TOOLS.has(own)) return GATEWAY
    if ((kind === 'tools' || kind === 'prompts') && own.includes(RENAMING)) {
      const other = components.find((name) => name !== component && own.startsWith(name + RENAMING))
      if (other !== undefined) return other
    }
    return taken.get(own)?.component
  }
}

/** How the entry of this name differs from its pin. A difference that removed an entry belongs to none. */
export function differenceOf(
  differences: readonly Difference[],
  kind: Kind,
  own: string,
): Difference | undefined {
  return differences.find((each) => each.kind === kind && each.name === own)
}
