/** YAML repeats a part by its name. What reads the result reads each of them again, so a short text can be gigabytes. */
import { isNested } from 'ftl-contract'

/** Values that repetitions may add. */
const MAX_REPEATED = 1_000_000

/** @returns what is wrong with a value of YAML; `undefined` if it can be read like a tree. */
export function repetitionProblem(root: unknown): string | undefined {
  /** Values in each part, with repetitions; 0 while it is counted. */
  const sizes = new Map<object, number>()
  let total = 0
  // A list instead of recursion. A part is on it twice: to count its members, and to add them up.
  const rest: unknown[] = [root]
  while (rest.length > 0) {
    const part = rest.at(-1)
    if (!isNested(part) || (sizes.get(part) ?? 0) > 0) {
      rest.pop()
      continue
    }
    const members = Object.values(part) as unknown[]
    if (!sizes.has(part)) {
      sizes.set(part, 0)
      total += members.filter((member) => !isNested(member)).length + 1
      for (const member of members) {
        if (isNested(member) && sizes.get(member) === 0)
          return 'an alias of YAML must not be within the part that it repeats'
        rest.push(member)
      }
      continue
    }
    rest.pop()
    const size = members.reduce<number>(
      (sum, member) => sum + (isNested(member) ? (sizes.get(member) ?? 0) : 1),
      1,
    )
    sizes.set(part, size)
  }
  const all = isNested(root) ? (sizes.get(root) ?? 0) : 1
  return all - total > MAX_REPEATED
    ? `the aliases of YAML must not add more than ${MAX_REPEATED} values`
    : undefined
}
