/** Compares without telling by its time where two texts of the same length differ. */
export function isSameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) {
    difference |= one.charCodeAt(at) ^ (at < other.length ? other.charCodeAt(at) : 0)
  }
  return difference === 0
}
