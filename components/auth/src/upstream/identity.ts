/** A user, as an upstream server described it. */
import { plainName } from '../clients/plain-name.ts'
import type { User } from '../grants/book.ts'
import type { Upstream } from './upstream.ts'

/** A sign-in that cannot go on. The message is for the user's page; `detail` is for the operator's log. */
export class UpstreamProblem extends Error {
  override readonly name = 'UpstreamProblem'
  readonly detail: string | undefined
  constructor(message: string, detail?: string) {
    super(message)
    this.detail = detail
  }
}

export interface Described {
  /** At the upstream server. */
  subject: string
  /** As people know the user; not unique. */
  name: string
  /** Organisations and teams of GitHub, or the claim of an OpenID provider. */
  groups: readonly string[]
  /** What entries of `auth_upstream_users` can name besides subject and groups, such as `login:ada`. */
  facts: readonly string[]
}

/** Of a token: the gateway refuses longer ones. */
const LONGEST_SUB = 256
const MOST_GROUPS = 200
/** All together: they are in each token, and servers refuse long headers. */
const MOST_GROUP_CHARACTERS = 4_000

/** Without some groups, a rule could permit too much. */
export const tooManyGroups = (label: string) =>
  new UpstreamProblem(
    `${label} names too many groups for you: at most ${MOST_GROUPS} with ${MOST_GROUP_CHARACTERS} characters together can be used. ` +
      'The operator of this server can have fewer sent, or choose another claim (auth_upstream_groups_claim).',
  )

/** @throws {UpstreamProblem} for more than a token can have. */
export function userOf(
  { prefix, label }: Upstream,
  { subject, name, groups, facts }: Described,
): User {
  const sub = prefix + subject
  if (!/^[^\p{C}]+$/u.test(subject) || sub.length > LONGEST_SUB)
    throw new UpstreamProblem(`${label} named the user in a form that cannot be used.`)
  const all = [...new Set(groups)]
  if (all.length > MOST_GROUPS || all.join('').length > MOST_GROUP_CHARACTERS)
    throw tooManyGroups(label)
  return {
    sub,
    name: plainName(name) || sub,
    groups: all,
    facts: [`sub:${subject}`, ...facts],
  }
}
