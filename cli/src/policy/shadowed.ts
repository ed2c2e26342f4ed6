/** Rules that can never decide, because an earlier one applies to everything that they name. */
import { matchesName, type NameList, type Rule } from 'ftl-gateway/policy'

/** @returns for each rule the place of the earlier one, from 0. */
export function shadowsOf(rules: readonly Rule[]): (number | undefined)[] {
  return rules.map((rule, place) => {
    const earlier = rules.slice(0, place).findIndex((other) => covers(other, rule))
    return earlier < 0 ? undefined : earlier
  })
}

/** Whether `first` applies wherever `second` does. */
function covers(first: Rule, second: Rule): boolean {
  const { scopes = [], actions, annotations = {} } = first
  return (
    (['principals', 'groups', 'components'] as const).every((list) =>
      coversNames(first[list], second[list]),
    ) &&
    scopes.every((scope) => second.scopes?.includes(scope)) &&
    (!actions || (second.actions?.every((action) => actions.includes(action)) ?? false)) &&
    Object.entries(annotations).every(
      ([hint, value]) => second.annotations?.[hint as keyof typeof annotations] === value,
    ) &&
    coversEntries(first, second)
  )
}

const ENTRIES = ['tools', 'prompts', 'resources'] as const satisfies NameList[]

function coversEntries(first: Rule, second: Rule): boolean {
  if (ENTRIES.every((list) => !first[list])) return true
  if (ENTRIES.every((list) => !second[list])) return false
  // A rule that denies also applies to names that another component has taken; one that allows does not.
  if (first.effect === 'allow' && second.effect !== 'allow' && !hasOnlyWildcards(first))
    return false
  return ENTRIES.every(
    (list) => !second[list] || (first[list] && coversNames(first[list], second[list])),
  )
}

function hasOnlyWildcards(rule: Rule): boolean {
  return ENTRIES.every((list) => rule[list]?.includes('*') ?? true)
}

/** A pattern that matches the text of another one matches every name that the other one does. */
function coversNames(first?: readonly string[], second?: readonly string[]): boolean {
  if (!first) return true
  return second?.every((name) => first.some((pattern) => matchesName(pattern, name))) ?? false
}
