/** How the servers share the one list that the gateway accepts. */

/**
 * Each gets what it needs up to an equal share of what the others leave: a small server takes little from a large one, and a
 * huge one nothing from a small one.
 *
 * @param limit bytes of all lists together.
 * @returns bytes by server.
 */
export function sharesOf(
  lists: ReadonlyMap<string, { bytes: number }>,
  limit: number,
): Map<string, number> {
  const smallestFirst = [...lists].sort(([, a], [, b]) => a.bytes - b.bytes)
  let rest = limit
  return new Map(
    smallestFirst.map(([name, { bytes }], index) => {
      const share = Math.min(bytes, Math.floor(rest / (smallestFirst.length - index)))
      rest -= share
      return [name, share]
    }),
  )
}
