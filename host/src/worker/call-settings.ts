/** The variable `call_settings`, to which the host adds how the calls of this request are audited. */
import { VariableError } from '../variables/variable-error.ts'

export const CALL_SETTINGS = 'call_settings'

/**
 * The variable as a gateway reads it while it writes lines for the audit log. The last value counts, whatever the manifest
 * says.
 *
 * @param by `on` if the gateway prints each line, `host` if it may only report a call ({@link ReportedCalls}).
 */
export function auditedSettings(read: () => string, by: 'on' | 'host'): string {
  const audited = `audit=${by}`
  try {
    return `${read()}; ${audited}`
  } catch {
    // The manifest does not have it.
    return audited
  }
}

export type ReadVariable = (name: string) => string | VariableError

/** @throws {VariableError} */
export function textOf(value: string | VariableError): string {
  if (typeof value === 'string') return value
  throw value
}

/** Whether the gateway writes lines for the audit log also of requests that are not watched. */
export function reports(variable: ReadVariable): boolean {
  try {
    return /(^|;)\s*audit\s*=\s*(on|host)\s*(;|$)/.test(textOf(variable(CALL_SETTINGS)))
  } catch {
    return false
  }
}

/** The variable as a gateway reads it in a request that is watched. */
export function watchedSettings(
  read: () => string,
  { arguments: wanted }: { arguments: boolean },
): string {
  return auditedSettings(read, 'on') + (wanted ? '; audit_arguments=true' : '')
}
