/** What the caller of one request may do. */
import type { Caller } from '../caller.ts'
import { type CallerRules, decideFor, rulesFor } from './decide.ts'
import { InsufficientScope } from '../insufficient-scope.ts'
import type { Permissions, Decision, Target, TargetKind } from '../permissions.ts'
import type { Action, Policy } from './policy.ts'

/** How an entry of each kind is used. */
const USES: Record<TargetKind, Action> = {
  tool: 'call',
  prompt: 'get',
  resource: 'read',
  component: 'list',
  chat: 'chat',
  activity: 'observe',
}

/** Headers of the response to a caller who needs these scopes. */
export type ScopeChallenge = (scopes: readonly string[]) => Record<string, string>

export class CallerPermissions implements Permissions {
  readonly #rules: CallerRules
  readonly #challenge: ScopeChallenge
  readonly #decisions = new Map<string, Decision>()

  constructor(policy: Policy, caller: Caller, challenge: ScopeChallenge) {
    this.#rules = rulesFor(policy, caller)
    this.#challenge = challenge
  }

  /** What decides about the caller's lists: callers with the same have the same lists. */
  get rights(): unknown {
    const { signedIn, rules } = this.#rules
    return [signedIn?.effect, rules.map(({ rule, missing }) => [rule, missing])]
  }

  /** Whether a call of this caller may need an approval. */
  get mayAsk(): boolean {
    return this.#rules.rules.some(({ rule }) => rule.effect === 'ask')
  }

  /** Whether the entry is in the caller's lists. What the caller may not use is not. */
  mayList(target: Target): boolean {
    return (
      this.#effect(target, 'list') !== 'deny' && this.#effect(target, USES[target.kind]) !== 'deny'
    )
  }

  /** Whether the caller may learn by using it that it exists: it may be used, or could be with more scopes. */
  mayFind(target: Target): boolean {
    const { effect, scopes } = decideFor(this.#rules, target, USES[target.kind])
    return effect !== 'deny' || scopes !== undefined
  }

  /**
   * Whether the caller may use the entry. For a caller who may not, it does not exist.
   *
   * @param calledAs the name that the client sent.
   * @throws {InsufficientScope} if only scopes are missing.
   */
  mayUse(target: Target, calledAs: string): boolean {
    const decision = decideFor(this.#rules, target, USES[target.kind])
    this.#decisions.set(`${target.kind} ${calledAs}`, decision)
    const { effect, scopes } = decision
    if (effect !== 'deny') return true
    if (scopes) throw new InsufficientScope(scopes, this.#challenge(scopes))
    return false
  }

  /**
   * The decision about what the client has used or tried to use, for the audit log and for approvals.
   *
   * @param calledAs the name that the client sent: of a tool or prompt, or the uri of a resource.
   * @returns `undefined` for what does not exist, and for the gateway's own tools.
   */
  decisionOn(kind: TargetKind, calledAs: string): Decision | undefined {
    return this.#decisions.get(`${kind} ${calledAs}`)
  }

  #effect(target: Target, action: Action): Decision['effect'] {
    return decideFor(this.#rules, target, action).effect
  }
}
