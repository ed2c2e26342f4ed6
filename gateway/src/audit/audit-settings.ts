/** The variables of the audit log. */
import type { SettingVariables } from 'ftl-http'
import { flag, oneOf } from '../setting-values.ts'

/** @throws {ConfigurationError} by every member, when its variable is unusable. */
export interface AuditSettings {
  /**
   * `audit`: writes a line of JSON to standard output for each call and each decision. The embedded host sets it with
   * `--audit-log`.
   *
   * @default 'off'
   */
  readonly audit: 'off' | 'on'
  /** `audit_arguments`: the lines contain the arguments, without what their schema calls a secret. @default false */
  readonly auditArguments: boolean
}

export const auditVariables: SettingVariables<AuditSettings> = {
  audit: ['audit', oneOf('off', 'on')],
  auditArguments: ['audit_arguments', flag],
}
