/** The most steps an engine that goes back and tries again can take for an expression. */
import type { Node } from './tree.ts'

interface Effort {
  /** Steps to try every way to match. */
  steps: number
  /** In how many ways it can match from one place. */
  ways: number
  /** Characters of the shortest match. */
  least: number
}

/**
 * Steps for the search in a text of `length`; `Infinity` when their number is exponential.
 *
 * Never too low: each way to match is counted, also where an engine sees that it leads nowhere.
 */
export function searchEffort(node: Node, length: number): number {
  const { steps } = effort(node, length)
  return isAnchored(node) ? steps + length : steps * (length + 1)
}

/** Whether it can begin at the start of the text only. */
function isAnchored(node: Node): boolean {
  if (node.kind === 'any') return node.parts.every(isAnchored)
  if (node.kind === 'all') return node.parts[0] !== undefined && isAnchored(node.parts[0])
  return node.kind === 'place' && node.place === '^'
}

function effort(node: Node, length: number): Effort {
  switch (node.kind) {
    case 'one':
      return { steps: 1, ways: 1, least: 1 }
    case 'place':
      return { steps: 1, ways: 1, least: 0 }
    case 'back':
      return { steps: length + 1, ways: 1, least: 0 }
    case 'look':
      // Once it has matched it is not entered again.
      return { steps: effort(node.body, length).steps + 1, ways: 1, least: 0 }
    case 'all': {
      const sum = { steps: 1, ways: 1, least: 0 }
      for (const part of node.parts) {
        const { steps, ways, least } = effort(part, length)
        sum.steps += sum.ways * steps
        sum.ways *= ways
        sum.least += least
      }
      return sum
    }
    case 'any': {
      const sum = { steps: 1, ways: 0, least: Infinity }
      for (const part of node.parts) {
        const { steps, ways, least } = effort(part, length)
        sum.steps += steps
        sum.ways += ways
        sum.least = Math.min(sum.least, least)
      }
      return sum
    }
    case 'repeat':
      return repeated(node, effort(node.body, length), length)
  }
}

function repeated(
  { min, max }: { min: number; max: number },
  { steps, ways, least }: Effort,
  length: number,
): Effort {
  // Beyond the minimum a round has to match something.
  const rounds = Math.min(max, Math.max(min, Math.floor(length / Math.max(least, 1))) + 1)
  const sum = {
    steps: 1 + rounds * (steps + 1),
    ways: Math.max(rounds - min, 0) + 1,
    least: min * least,
  }
  if (ways <= 1) return sum
  let reached = 1
  sum.steps = 1
  sum.ways = min === 0 ? 1 : 0
  for (let round = 1; round <= rounds && sum.steps < Infinity; round++) {
    sum.steps += reached * (steps + 1)
    reached *= ways
    if (round >= min) sum.ways += reached
  }
  return sum
}
