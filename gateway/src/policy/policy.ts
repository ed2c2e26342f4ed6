/** What callers may do, as data: the variable `policy`. */
import type { Hint } from '../catalog/annotation-hints.ts'
import type { Effect } from '../permissions.ts'

export const ACTIONS = ['list', 'call', 'get', 'read', 'chat', 'observe'] as const

/**
 * What a caller does: find an entry in a list, call a tool, get a prompt (or complete its arguments), read a resource
 * (or complete the variables of its address), use the chat, observe the requests of all callers (`GET /activity`).
 */
export type Action = (typeof ACTIONS)[number]

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

/** Who calls; `undefined`: a caller without a name. */
export type Subject = Readonly<{
  principal: string
  scopes?: readonly string[]
  groups?: readonly string[]
}>
