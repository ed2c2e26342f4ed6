/** What callers may do, as data: the variable `policy`. */

export const EFFECTS = ['allow', 'deny', 'ask'] as const

/** `ask`: the call needs an approval. */
export type Effect = (typeof EFFECTS)[number]

export const ACTIONS = ['list', 'call', 'get', 'read', 'chat', 'observe'] as const

/**
 * What a caller does: find an entry in a list, call a tool, get a prompt (or complete its arguments), read a resource
 * (or complete the variables of its address), use the chat, observe the requests of all callers (`GET /activity`).
 */
export type Action = (typeof ACTIONS)[number]

export const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#toolannotations */
export type Hint = (typeof HINTS)[number]

/** The names that a rule can be about. In all but the scopes, `*` matches any text. */
export const NAME_LISTS = [
  'principals',
  'groups',
  'scopes',
  'components',
  'tools',
  'prompts',
  'resources',
] as const

export type NameList = (typeof NAME_LISTS)[number]

/** A rule applies if everything that it states matches. */
export interface Rule {
  /** For people. */
  name?: string
  effect: Effect
  /** Of `Caller.principal`. @default every caller, also one without a name */
  principals?: readonly string[]
  /** The caller is in one of them. */
  groups?: readonly string[]
  /** The caller has all of them. */
  scopes?: readonly string[]
  components?: readonly string[]
  /** A rule with one of these three lists is only about the entries in them. */
  tools?: readonly string[]
  prompts?: readonly string[]
  /** Addresses of resources, or the templates of addresses. */
  resources?: readonly string[]
  actions?: readonly Action[]
  /** Only tools have annotations. */
  annotations?: Readonly<Partial<Record<Hint, boolean>>>
}

/** The first rule that applies decides. If none does, the caller may not. */
export interface Policy {
  rules: readonly Rule[]
  /** Instead of rules: every caller with a name may do everything but observe the others. */
  signedIn?: boolean
}

/** The word for {@link Policy.signedIn}. */
export const SIGNED_IN = 'signed-in'

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

/** Who calls; `undefined`: a caller without a name. */
export type Subject = Readonly<{
  principal: string
  scopes?: readonly string[]
  groups?: readonly string[]
}>

export interface Decision {
  effect: Effect
  /** Place of the rule that decided, from 1. @default no rule decided */
  rule: number | undefined
  /** For logs and operators, never for the caller: it contains the name of the rule. */
  reason: string
  /** If the caller would be permitted with more scopes: all that the operation needs. */
  scopes?: readonly string[]
}
