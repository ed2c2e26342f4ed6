/** Chooses a model of the server for a workflow whose own model is not there. */
import { familyOf, type ModelFamily, variantsOf } from './family.ts'

export interface ModelPreference {
  /** @default the family that the name of the workflow's model file says */
  family?: ModelFamily | undefined
  /** File names, the best first; `*` stands for any characters. A folder may be left out. @default none */
  prefer?: readonly string[] | undefined
}

/** Names that are examined: a server may send any number. */
const MAX_EXAMINED = 10_000
const MAX_LENGTH = 255

/**
 * The model to use instead of `wanted`: of the same family and variant, the preferred ones first, then those that are
 * called a base model, then in the order of their names. A preferred file may be one whose name says no family, and never
 * one of another family.
 *
 * @param available the server's files.
 * @returns `undefined` when none fits for certain.
 */
export function chooseModel(
  wanted: string,
  available: readonly unknown[],
  { family = ownFamily(wanted), prefer = [] }: ModelPreference = {},
): string | undefined {
  const patterns = prefer.map(toPattern)
  const variants = variantsOf(wanted)
  let best: { name: string; rank: number } | undefined
  for (const name of available.slice(0, MAX_EXAMINED)) {
    if (typeof name !== 'string' || name.length === 0 || name.length > MAX_LENGTH) continue
    const rank = rankOf(name, patterns)
    const isPreferred = rank < patterns.length
    const named = familyOf(name)
    const isFitting =
      named === undefined
        ? isPreferred
        : named === family && (isPreferred || variantsOf(name) === variants)
    if (!isFitting) continue
    const isBetter = !best || rank < best.rank || (rank === best.rank && name < best.name)
    if (isBetter) best = { name, rank }
  }
  return best?.name
}

function ownFamily(wanted: string): ModelFamily | undefined {
  const family = familyOf(wanted)
  return family === 'other' ? undefined : family
}

function rankOf(name: string, patterns: readonly ((name: string) => boolean)[]): number {
  const at = patterns.findIndex((fits) => fits(name))
  if (at >= 0) return at
  return patterns.length + (/(?:^|[^a-z])base(?![a-z])/i.test(name) ? 0 : 1)
}

/** Compares parts of the text: a regular expression with many `*` takes exponential time. */
function toPattern(pattern: string): (name: string) => boolean {
  const parts = pattern.toLowerCase().split('*')
  return (name) => {
    const whole = name.toLowerCase().replaceAll('\\', '/')
    const isFit = (text: string) => matches(text, parts)
    return isFit(whole) || isFit(whole.slice(whole.lastIndexOf('/') + 1))
  }
}

function matches(text: string, [first = '', ...rest]: readonly string[]): boolean {
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let from = first.length
  for (const part of rest) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}
