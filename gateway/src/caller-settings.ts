/** Spares a gateway that configures nothing about its callers the reads of all variables about them. */
import type { Settings } from './settings.ts'

/** The text of `caller_settings` where each variable has its default: `trust_forwarded_user` has `false`. */
const DEFAULTS = 'false'

/**
 * Whether none of the variables in `caller_settings` is set: each read costs half a millisecond on Spin.
 *
 * A manifest without `caller_settings` says nothing, and the variables are read one by one.
 */
export function nothingIsSet({ callerSettings }: Pick<Settings, 'callerSettings'>): boolean {
  return callerSettings === DEFAULTS
}
