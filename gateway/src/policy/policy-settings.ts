/** The variables of authorization, each read when it is first used, and only if authentication is configured. */
import type { Refuse, SettingVariables } from 'ftl-http'
import { ConfiguredPolicy } from './configured-policy.ts'
import { parsePolicy, PolicyError } from './parse-policy.ts'
import type { Rule } from './policy.ts'

/** @throws {ConfigurationError} by every member, when its variable is unusable. */
export interface PolicySettings {
  /**
   * `policy`: what callers may do, `signed-in` or JSON with rules, which are checked when they are first read. See
   * docs/authorization.md.
   *
   * @default nothing is permitted
   */
  readonly policy: ConfiguredPolicy | undefined
  /**
   * `auth_groups_claim`: the claim of a token that names the groups of its user; a claim inside another one with a dot,
   * such as `realm_access.roles`.
   *
   * @default 'groups'
   */
  readonly authGroupsClaim: string
}

const CLAIM_LIMIT = 256

/** The claim that is read: none if no rule names a group, so that its variable is not read either. */
export function groupsClaimOf(settings: PolicySettings): string | undefined {
  return settings.policy?.rules.some(({ groups }) => groups) ? settings.authGroupsClaim : undefined
}

function checked(text: string, refuse: Refuse): readonly Rule[] {
  try {
    return parsePolicy(text)?.rules ?? []
  } catch (error) {
    if (error instanceof PolicyError) return refuse(`is not valid: ${error.message}`)
    throw error
  }
}

export const policyVariables: SettingVariables<PolicySettings> = {
  policy: [
    'policy',
    (text, refuse) =>
      text === '' ? undefined : new ConfiguredPolicy(text, (given) => checked(given, refuse)),
  ],
  authGroupsClaim: [
    'auth_groups_claim',
    (text, refuse) =>
      text.length <= CLAIM_LIMIT
        ? text || 'groups'
        : refuse(`must have at most ${CLAIM_LIMIT} characters`),
  ],
}
