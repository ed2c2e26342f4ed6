/** Keeps the skills of components apart: a file of one could otherwise seem to belong to a skill of another component. */
import type { Entry } from '../catalog/catalog.ts'
import type { Skill } from './read-skill.ts'

export interface Listed {
  entry: Entry
  skill: Skill
}

interface Place extends Listed {
  within: string
  /** Place of its component in the configured order. */
  own: number
  /** The earliest of it and the skills around it. */
  outer: number
  /** The earliest of it, the skills around it and those in it. */
  earliest: number
}

/**
 * Leaves out each skill whose folder is in, or around, the folder of a skill of an earlier component.
 *
 * @param skills in the configured order of their components.
 * @returns those that are left, in the same order.
 */
export function apart(skills: readonly Listed[]): Map<Entry, Skill> {
  const order = new Map<string, number>()
  const places = skills.map(({ entry, skill }): Place => {
    const { component } = entry
    const own = order.get(component) ?? order.size
    order.set(component, own)
    return { entry, skill, within: `${skill.folder}/`, own, outer: own, earliest: own }
  })
  // Sorted, each folder comes after those around it, so every pair need not be compared.
  const around: Place[] = []
  for (const place of places.toSorted((one, other) => (one.within < other.within ? -1 : 1))) {
    while (around.length > 0 && !place.within.startsWith(around.at(-1)?.within ?? '')) around.pop()
    place.earliest = place.outer = Math.min(place.own, around.at(-1)?.outer ?? place.own)
    // Those further out know it already, if one does.
    for (let at = around.length - 1; at >= 0; at--) {
      const each = around[at]
      if (!each || each.earliest <= place.own) break
      each.earliest = place.own
    }
    around.push(place)
  }
  const kept = places.filter(({ own, earliest }) => own === earliest)
  return new Map(kept.map(({ entry, skill }) => [entry, skill]))
}
