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
}

declare module '../settings.ts' {
  interface Settings extends PolicySettings {}
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
}
