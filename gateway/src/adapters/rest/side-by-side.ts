/**
 * Several async generators read at once.
 *
 * @module
 */

/** Every step with the place of its generator, as they come. @returns how each ended, in order. */
export async function* sideBySide<T, R>(
  all: readonly AsyncGenerator<T, R, undefined>[],
): AsyncGenerator<{ place: number; step: T }, R[], undefined> {
  const ends: R[] = []
  const next = async (place: number, one: AsyncGenerator<T, R, undefined>) => ({
    ...{ place, one },
    result: await one.next(),
  })
  const pending = new Map(all.map((one, place) => [place, next(place, one)]))
  try {
    while (pending.size > 0) {
      const { place, one, result } = await Promise.race(pending.values())
      pending.delete(place)
      if (result.done) {
        ends[place] = result.value
        continue
      }
      pending.set(place, next(place, one))
      yield { place, step: result.value }
    }
    return ends
  } finally {
    // Whoever stops reading ends them all; one that is waited for ends when that is over.
    for (const one of all) void one.return(undefined as R).catch(() => undefined)
  }
}
