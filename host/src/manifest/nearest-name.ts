/** Finds the name that was meant. It imports nothing, so that a command can have it without the host. */

/** More is another word. */
const MAX_DISTANCE = 3

/**
 * The name that differs least from `text`, if the difference looks like a mistake of typing.
 *
 * @param most letters that may differ. @default 40 % of `text`, at most 3
 */
export function nearestName(
  text: string,
  names: Iterable<string>,
  most = limitFor(text),
): string | undefined {
  let nearest: string | undefined
  let least = most + 1
  for (const name of names) {
    // A server chooses its names; comparing long ones would take seconds.
    if (Math.abs(name.length - text.length) >= least || name.length > 200) continue
    const distance = distanceBetween(text.toLowerCase(), name.toLowerCase())
    if (distance < least) [least, nearest] = [distance, name]
  }
  return nearest
}

const limitFor = ({ length }: string): number =>
  length <= 3 ? 1 : Math.min(MAX_DISTANCE, Math.ceil(length * 0.4))

/** Letters to insert, delete, replace or swap with their neighbour. */
function distanceBetween(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, replaced)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, at(before, j - 2) + 1)
      }
      next.push(least)
    }
    before = row
    row = next
  }
  return at(row, b.length)
}

const at = (row: readonly number[], index: number): number => row[index] ?? 0
