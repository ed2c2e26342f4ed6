/** Reads several async generators concurrently. */

/** Yields each step with its generator's index, as it arrives. @returns the generators' return values, in order. */
export async function* sideBySide<T, R>(
  all: readonly AsyncGenerator<T, R, undefined>[],
): AsyncGenerator<{ place: number; step: T }, R[], undefined> {
  const ends: R[] = []
  const next = async (place: number, one: AsyncGenerator<T, R, undefined>) => ({
    place,
    one,
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
    // If the reader stops early, end all generators; one with a pending step ends after that step.
    for (const one of all) void one.return(undefined as R).catch(() => undefined)
  }
}
