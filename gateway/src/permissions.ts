/** What a caller may do, as the parts of the gateway ask for it. A feature decides. */

export const EFFECTS = ['allow', 'deny', 'ask'] as const

/** `ask`: the call needs an approval. */
export type Effect = (typeof EFFECTS)[number]

/**
 * `component`: the status of a component as a whole. A rule that names tools, prompts, resources or annotations is not
 * about the chat and the component. A rule is about the activity only if its `actions` name `observe`.
 */
export type TargetKind = 'tool' | 'prompt' | 'resource' | 'component' | 'chat' | 'activity'

/** What a caller wants to use. */
export interface Target {
  kind: TargetKind
  /** `''` for the gateway's own. */
  component: string
  /** The name that clients of `/mcp` use: unique. For a resource its uri, or the template of it. */
  name: string
  /**
   * Other forms of the name: a tool's own name if it is listed under another one, a uri without escapes. A rule that
   * denies or asks also applies to these, so that a new component or an escape cannot take a name away from it.
   */
  alias?: string
  /** The template that the uri of a resource matches: a rule that names it is about every such uri. */
  template?: string
  /** As the component published them. @default none */
  annotations?: unknown
}

export interface Decision {
  effect: Effect
  /** Place of the rule that decided, from 1. @default no rule decided */
  rule: number | undefined
  /** For logs and operators, never for the caller: it contains the name of the rule. */
  reason: string
  /** If the caller would be permitted with more scopes: all that the operation needs. */
  scopes?: readonly string[]
}

export interface Permissions {
  /** What decides about the caller's lists: callers with the same have the same lists. */
  readonly rights: unknown
  /** Whether a call of this caller may need an approval. */
  readonly mayAsk: boolean
  /** Whether the entry is in the caller's lists. What the caller may not use is not. */
  mayList(target: Target): boolean
  /** Whether the caller may learn by using it that it exists: it may be used, or could be with more scopes. */
  mayFind(target: Target): boolean
  /**
   * Whether the caller may use the entry. For a caller who may not, it does not exist.
   *
   * @param calledAs the name that the client sent.
   * @throws {InsufficientScope} if only scopes are missing.
   */
  mayUse(target: Target, calledAs: string): boolean
  /**
   * The decision about what the client has used or tried to use, for the audit log and for approvals.
   *
   * @param calledAs the name that the client sent: of a tool or prompt, or the uri of a resource.
   * @returns `undefined` for what does not exist, and for the gateway's own tools.
   */
  decisionOn(kind: TargetKind, calledAs: string): Decision | undefined
}
