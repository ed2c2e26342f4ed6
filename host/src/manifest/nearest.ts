/** The one of `known` that `word` is likely to have been meant as. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 4))
  let best: string | undefined
  let least = limit + 1
  for (const each of known) {
    const distance = distanceOf(word.toLowerCase(), each.toLowerCase())
    if (distance >= least) continue
    best = each
    least = distance
  }
  return best
}

/** Levenshtein's: letters to put in, take out or exchange. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
