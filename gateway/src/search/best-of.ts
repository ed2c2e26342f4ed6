/** Chooses the results of a search: the best, of which one component has at most half (and five) while others match. */

/** So many of the first results may be of one component in any case. */
const FEW = 5

type Components = readonly (readonly [component: string, tools: number])[]

/**
 * The best first; of equal ones the first of the list. A component that offers one tool under a hundred names would otherwise
 * be all that a model gets to see.
 */
export function bestOf(
  places: readonly number[],
  values: Float64Array,
  components: Components,
  limit: number,
): number[] {
  const most = Math.max(FEW, Math.ceil(limit / 2))
  const first: number[] = []
  const rest: number[] = []
  for (const own of byComponent(places, components)) {
    const chosen = best(own, values, limit)
    first.push(...chosen.slice(0, most))
    rest.push(...chosen.slice(most))
  }
  const kept = best(first, values, limit)
  return best([...kept, ...best(rest, values, limit - kept.length)], values, limit)
}

/** @returns one group of places for each component that has any of them. */
function byComponent(places: readonly number[], components: Components): Iterable<number[]> {
  const ends: number[] = []
  for (const [, tools] of components) ends.push((ends.at(-1) ?? 0) + tools)
  const groups = new Map<number, number[]>()
  for (const place of places) {
    const component = componentAt(ends, place)
    const group = groups.get(component)
    if (group) group.push(place)
    else groups.set(component, [place])
  }
  return groups.values()
}

/** @param ends of the components, ascending. */
function componentAt(ends: readonly number[], place: number): number {
  let from = 0
  let to = ends.length - 1
  while (from < to) {
    const middle = (from + to) >> 1
    if (place < (ends[middle] as number)) to = middle
    else from = middle + 1
  }
  return from
}

function best(places: readonly number[], values: Float64Array, limit: number): number[] {
  const chosen: number[] = []
  for (const place of places) {
    const value = values[place] as number
    let at = chosen.length
    while (at > 0 && isBefore(place, value, chosen[at - 1] as number, values)) at--
    if (at < limit) {
      chosen.splice(at, 0, place)
      if (chosen.length > limit) chosen.pop()
    }
  }
  return chosen
}

function isBefore(place: number, value: number, other: number, values: Float64Array): boolean {
  const its = values[other] as number
  return value > its || (value === its && place < other)
}
