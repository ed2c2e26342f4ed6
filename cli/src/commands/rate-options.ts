/** Rate limits and the audit log of the host as flags. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type HostOptions, parseRate } from 'ftl-host'
import { GROUPS } from './option-groups.ts'

export type RateFlags = Pick<
  HostOptions,
  | 'rateLimit'
  | 'rateLimitAddress'
  | 'rateLimitFailures'
  | 'auditLog'
  | 'auditOtlp'
  | 'auditRequired'
  | 'auditSync'
  | 'auditMaxBytes'
>

export function withRateOptions(command: Command): Command {
  const rate = (flags: string, text: string) => new Option(flags, text).argParser(parseRateOption)
  const audit = (flags: string, text: string) => new Option(flags, text).helpGroup(GROUPS.audit)
  return command
    .addOption(
      rate(
        '--rate-limit <rate>',
        'requests of one caller, such as `600/m` (s, m, h, d); others get 429 (docs/rate-limits.md)',
      ).default(undefined, 'none'),
    )
    .addOption(
      rate('--rate-limit-address <rate>', 'requests of one client address; others get 429')
        .default(undefined, 'none')
        .helpGroup(GROUPS.rates),
    )
    .addOption(
      rate(
        '--rate-limit-failures <rate>',
        'failed authentications of one client address; others get 429 unchecked; `none` removes the limit',
      )
        .default(undefined, '`60/m`')
        .helpGroup(GROUPS.rates),
    )
    .addOption(
      new Option(
        '--audit-log <file>',
        'append a line for each call and each decision of a gateway to this file (docs/audit.md)',
      ),
    )
    .addOption(
      audit('--audit-otlp', 'send these lines to an OpenTelemetry collector, as OTLP logs'),
    )
    .addOption(audit('--audit-required', 'refuse requests while the audit log cannot be written'))
    .addOption(
      audit(
        '--audit-sync',
        'put each line of the audit log on the disk before the request is answered',
      ),
    )
    .addOption(
      audit('--audit-max-bytes <bytes>', 'size at which the audit log begins another file')
        .default(undefined, '100 MiB')
        .argParser(parseBytes),
    )
}

/** Those that were given, as options of the host. */
export function ratesOf(flags: RateFlags): RateFlags {
  const { rateLimit, rateLimitAddress, rateLimitFailures } = flags
  const { auditLog, auditOtlp, auditRequired, auditSync, auditMaxBytes } = flags
  return {
    ...(rateLimit !== undefined && { rateLimit }),
    ...(rateLimitAddress !== undefined && { rateLimitAddress }),
    ...(rateLimitFailures !== undefined && { rateLimitFailures }),
    ...(auditLog !== undefined && { auditLog }),
    ...(auditOtlp !== undefined && { auditOtlp }),
    ...(auditRequired !== undefined && { auditRequired }),
    ...(auditSync !== undefined && { auditSync }),
    ...(auditMaxBytes !== undefined && { auditMaxBytes }),
  }
}

function parseRateOption(text: string): string {
  if (text === 'none' || parseRate(text)) return text
  throw new InvalidArgumentError(
    'give a number of requests and a unit of time (s, m, h or d), such as 600/m, or none',
  )
}

const SMALLEST = 4096

function parseBytes(text: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= SMALLEST) return value
  throw new InvalidArgumentError(`give bytes, at least ${SMALLEST}`)
}
