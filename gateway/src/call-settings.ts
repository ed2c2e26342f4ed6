/**
 * What every call needs to know, in one variable: `call_settings`.
 *
 * Reading a variable costs half a millisecond on Spin, so a call reads one and not five. None of the values has another
 * variable of the component: two could say different things.
 */
import type { Parse } from 'ftl-http'
import type { Scope } from './scope.ts'
import { flag, milliseconds, namedValues, oneOf, quota } from './setting-values.ts'

export interface CallSettings {
  /** `call_timeout_ms`. @default the variable of this name */
  callTimeoutMs?: number
  /**
   * `audit`: writes a line of JSON to standard output for each call and each decision. The embedded host sets it to `host` with
   * `--audit-log`: the same lines, of which the host words those of most calls.
   */
  audit: boolean
  auditByHost: boolean
  /** `audit_arguments`: the lines contain the arguments, without what their schema calls a secret. */
  auditArguments: boolean
  /** `calls_per_minute`: calls of tools of one caller; 0 for no limit. */
  callsPerMinute: number
  /** `jobs_per_day`: jobs that calls of one caller start; 0 for no limit. */
  jobsPerDay: number
  /** `job_ttl_ms`: milliseconds for which a job is kept at most, also if its component asks for more. @default 7 days */
  jobTtlMs: number
  /**
   * `store_bytes`: bytes that jobs and programs may keep in the gateway's store, all together; at most half of the host's quota.
   *
   * @default that half; 0, if the host has none: 128 MiB
   */
  storeBytes: number
}

const NAMES = [
  'call_timeout_ms',
  'audit',
  'audit_arguments',
  'calls_per_minute',
  'jobs_per_day',
  'job_ttl_ms',
  'store_bytes',
]

export const callSettings: Parse<CallSettings> = (text, refuse) => {
  const { read, has } = namedValues(text, NAMES, 'audit=on; jobs_per_day=20', refuse)
  const audit = read('audit', oneOf('off', 'on', 'host'))
  return {
    ...(has('call_timeout_ms') && { callTimeoutMs: read('call_timeout_ms', milliseconds(1)) }),
    audit: audit !== 'off',
    auditByHost: audit === 'host',
    auditArguments: read('audit_arguments', flag),
    callsPerMinute: read('calls_per_minute', quota),
    jobsPerDay: read('jobs_per_day', quota),
    jobTtlMs: read('job_ttl_ms', milliseconds(7 * 86_400_000)),
    storeBytes: read('store_bytes', quota),
  }
}

/** Milliseconds a tool may take. @throws {ConfigurationError} */
export function callTimeoutOf({ settings, platform, until }: Scope): number {
  const timeoutMs = settings.callSettings.callTimeoutMs ?? settings.callTimeoutMs
  return until === undefined ? timeoutMs : Math.max(Math.min(timeoutMs, until - platform.now()), 1)
}
