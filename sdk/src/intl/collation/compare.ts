/** Compares text as the root collation does, which is that of English. */
import {
  DIGITS,
  LAST_PUNCTUATION,
  primaryOf,
  secondaryOf,
  simpleWeight,
  tertiaryOf,
  weightsOf,
  type Weight,
} from './weights.ts'

export interface Comparison {
  sensitivity: string
  numeric: boolean
  ignorePunctuation: boolean
  caseFirst: string
}

export function compareText(left: string, right: string, options: Comparison): number {
  if (left === right) return 0
  const simple = isDefault(options) ? compareSimple(left, right) : undefined
  if (simple !== undefined) return simple
  const [a, b] = [prepared(left, options), prepared(right, options)]
  const byLetter = compareLevel(a, b, primaryOf)
  if (byLetter !== 0) return byLetter
  const { sensitivity, caseFirst } = options
  if (sensitivity === 'accent' || sensitivity === 'variant') {
    const byAccent = compareLevel(a, b, secondaryOf)
    if (byAccent !== 0 || sensitivity === 'accent') return byAccent
  }
  if (sensitivity === 'base') return 0
  const isUpperFirst = caseFirst === 'upper'
  // An accent has no case.
  const caseOf = (weight: Weight) => {
    if (primaryOf(weight) === 0) return 0
    return 1 + (isUpperFirst ? tertiaryOf(weight) ^ 1 : tertiaryOf(weight))
  }
  return compareLevel(a, b, caseOf)
}

function isDefault({ sensitivity, numeric, ignorePunctuation, caseFirst }: Comparison): boolean {
  return sensitivity === 'variant' && !numeric && !ignorePunctuation && caseFirst !== 'upper'
}

/**
 * Compares without lists of weights, which most text does not need: the first letters that differ decide.
 *
 * @returns `undefined` where an accent decides, or characters beyond Latin.
 */
function compareSimple(left: string, right: string): number | undefined {
  let byCase = 0
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)]
    if (a === b) continue
    const [first, second] = [simpleWeight(a), simpleWeight(b)]
    if (first === 0 || second === 0) return undefined
    const difference = primaryOf(first) - primaryOf(second)
    if (difference !== 0) return difference < 0 ? -1 : 1
    if (a > 127 || b > 127) return undefined
    if (byCase === 0) byCase = first < second ? -1 : 1
  }
  if (left.length === right.length) return byCase
  // What is left of the longer one must count.
  const next = (left.length > length ? left : right).charCodeAt(length)
  if (simpleWeight(next) === 0) return undefined
  return left.length < right.length ? -1 : 1
}

function prepared(text: string, { numeric, ignorePunctuation }: Comparison): Weight[] {
  const weights = numeric ? withNumbers(weightsOf(text)) : weightsOf(text)
  if (!ignorePunctuation) return weights
  return weights.filter((weight) => {
    const primary = primaryOf(weight)
    return primary === 0 || primary > LAST_PUNCTUATION
  })
}

/** Compares what is not 0 at a level; of two that begin alike, the shorter one comes first. */
function compareLevel(
  a: readonly Weight[],
  b: readonly Weight[],
  levelOf: (weight: Weight) => number,
): number {
  let [i, j] = [0, 0]
  for (;;) {
    let [left, right] = [0, 0]
    while (i < a.length && left === 0) left = levelOf(a[i++] ?? 0)
    while (j < b.length && right === 0) right = levelOf(b[j++] ?? 0)
    if (left !== right) return left < right ? -1 : 1
    if (left === 0) return 0
  }
}

const [FIRST_DIGIT = 0] = weightsOf('0').map(primaryOf)

/** Puts the count of its digits before each number, and leaves out the zeros before it. */
function withNumbers(weights: readonly Weight[]): Weight[] {
  const found: Weight[] = []
  const isDigit = (weight: Weight | undefined) => {
    const digit = primaryOf(weight ?? 0) - FIRST_DIGIT
    return digit >= 0 && digit <= 9 && tertiaryOf(weight ?? 0) === 0
  }
  for (let at = 0; at < weights.length; at++) {
    if (!isDigit(weights[at])) {
      found.push(weights[at] ?? 0)
      continue
    }
    let end = at
    while (isDigit(weights[end])) end++
    while (at < end - 1 && primaryOf(weights[at] ?? 0) === FIRST_DIGIT) at++
    found.push(letter(FIRST_DIGIT), letter(DIGITS + end - at))
    for (; at < end; at++) found.push(weights[at] ?? 0)
    at--
  }
  return found
}

const letter = (primary: number): Weight => primary * 4096 + 16
