/** The decision: whether a caller may do something. It is pure, so `ftl policy` makes the same one. */
import { hintOf } from '../catalog/annotation-hints.ts'
import { matchesAny } from '../name-patterns.ts'
import type { Hint } from '../catalog/annotation-hints.ts'
import type { Decision, Effect, Target, TargetKind } from '../permissions.ts'
import type { Action, Policy, Rule, Subject } from './policy.ts'

/** A rule that applies to a caller, if the caller has the scopes. */
interface CallerRule {
  rule: Rule
  /** From 1. */
  number: number
  /** Scopes that the caller does not have. */
  missing: readonly string[]
}

/** The rules that can apply to one caller, so that a list of many tools does not compare names of callers. */
export interface CallerRules {
  signedIn: Decision | undefined
  rules: readonly CallerRule[]
}

export function decide(
  policy: Policy,
  caller: Subject | undefined,
  { action, ...target }: Target & { action: Action },
): Decision {
  return decideFor(rulesFor(policy, caller), target, action)
}

export function rulesFor(policy: Policy, caller: Subject | undefined): CallerRules {
  if (policy.signedIn) return { signedIn: signedIn(caller), rules: [] }
  const { scopes: held = [] } = caller ?? {}
  const rules: CallerRule[] = []
  for (const [place, rule] of policy.rules.entries()) {
    if (!isAbout(rule, caller)) continue
    const missing = rule.scopes?.filter((scope) => !held.includes(scope)) ?? NONE
    rules.push({ rule, number: place + 1, missing })
  }
  return { signedIn: undefined, rules }
}

const NONE: readonly string[] = []

const NOT_BY_SIGNING_IN: Decision = {
  effect: 'deny',
  rule: undefined,
  reason: 'signed-in does not permit the action observe; write a rule for it',
}

function signedIn(caller: Subject | undefined): Decision {
  const reason = `the policy permits every caller who is signed in${caller ? '' : ', and this caller is not'}`
  return { effect: caller ? 'allow' : 'deny', rule: undefined, reason }
}

function isAbout({ principals, groups, scopes }: Rule, caller: Subject | undefined): boolean {
  if (!caller) return !principals && !groups && !scopes
  const { principal, groups: joined = [] } = caller
  return (
    (!principals || matchesAny(principals, principal)) &&
    (!groups || joined.some((group) => matchesAny(groups, group)))
  )
}

export function decideFor(callers: CallerRules, target: Target, action: Action): Decision {
  if (callers.signedIn) return target.kind === 'activity' ? NOT_BY_SIGNING_IN : callers.signedIn
  const found = callers.rules.find(
    ({ rule, missing }) => missing.length === 0 && covers(rule, target, action),
  )
  if (found && found.rule.effect !== 'deny') return decisionOf(found)
  const scopes = callers.rules.some(({ missing }) => missing.length > 0)
    ? neededScopes(callers.rules.filter(({ rule }) => covers(rule, target, action)))
    : undefined
  const decision = found
    ? decisionOf(found)
    : { effect: 'deny' as const, rule: undefined, reason: 'no rule permits it' }
  return scopes ? { ...decision, scopes } : decision
}

/**
 * The scopes of the first rule that would permit it, if the caller had them. A rule that denies may come before, also one
 * that only applies to callers with these scopes.
 */
function neededScopes(rules: readonly CallerRule[]): readonly string[] | undefined {
  for (const { rule, missing } of rules) {
    const { scopes = [], effect } = rule
    if (missing.length === 0 || effect === 'deny') continue
    const first = rules.find((other) => other.missing.every((scope) => scopes.includes(scope)))
    if (first && first.rule.effect !== 'deny') return scopes
  }
  return undefined
}

const WORDS: Record<Effect, string> = {
  allow: 'allows',
  deny: 'denies',
  ask: 'asks for approval of',
}

function decisionOf({ rule: { effect, name }, number }: CallerRule): Decision {
  const called = name === undefined ? '' : ` (${JSON.stringify(name)})`
  return { effect, rule: number, reason: `rule ${number}${called} ${WORDS[effect]} it` }
}

const LISTS: Record<TargetKind, 'tools' | 'prompts' | 'resources' | undefined> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  component: undefined,
  chat: undefined,
  activity: undefined,
}

function covers(rule: Rule, target: Target, action: Action): boolean {
  const { components, actions, annotations } = rule
  if (actions && !actions.includes(action)) return false
  // Requests of other callers: a policy that was written before there was this right must not give it.
  if (target.kind === 'activity' && !actions && rule.effect !== 'deny') return false
  if (components && !matchesAny(components, target.component)) return false
  if (!coversName(rule, target)) return false
  if (!annotations) return true
  if (target.kind !== 'tool') return false
  return (Object.keys(annotations) as Hint[]).every(
    (hint) => hintOf(target.annotations, hint) === annotations[hint],
  )
}

function coversName(rule: Rule, { kind, name, alias, template }: Target): boolean {
  const { tools, prompts, resources, effect } = rule
  if (!tools && !prompts && !resources) return true
  const key = LISTS[kind]
  const list = key && rule[key]
  if (!list) return false
  // Only as it is: `*` must not match the name of a variable in it.
  if (template !== undefined && list.includes(template)) return true
  const isNamed = matchesAny(list, name)
  if (alias === undefined) return isNamed
  if (effect !== 'allow') return isNamed || matchesAny(list, alias)
  // A uri means the same with and without escapes, so a rule must permit both.
  return isNamed && (kind !== 'resource' || matchesAny(list, alias))
}
