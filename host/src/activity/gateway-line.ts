/** What a line of a gateway says about a call: the lines of the audit log, which it writes for a watched request, too. */
import { redactNames } from './redact-names.ts'
import type { ActivityCall, ActivityClient, ActivityOutcome } from './activity-types.ts'

export interface GatewayLine {
  principal: string | undefined
  client: ActivityClient | undefined
  /** `undefined` for a line that is not about a call of a tool. */
  call: ActivityCall | undefined
  outcome: ActivityOutcome
  reason: string | undefined
}

const OUTCOMES: ReadonlySet<string> = new Set<ActivityOutcome>([
  ...(['ok', 'job', 'input_required', 'tool_error', 'failed', 'timeout', 'cancelled'] as const),
  ...(['refused', 'denied', 'unauthenticated', 'not_found'] as const),
])

const MAX_TEXT = 256

/**
 * @param withArguments whether arguments may be kept.
 * @returns `undefined` for a line that is not one of the gateway's.
 */
export function readGatewayLine(line: string, withArguments: boolean): GatewayLine | undefined {
  let entry: unknown
  try {
    entry = JSON.parse(line)
  } catch {
    return undefined
  }
  const outcome = text(entry, 'outcome')
  // The end of a job is in whichever request reads it.
  if (outcome === undefined || !OUTCOMES.has(outcome) || own(entry, 'event') === 'job') {
    return undefined
  }
  const client = own(entry, 'client')
  const about = {
    principal: text(entry, 'principal'),
    client:
      client === undefined
        ? undefined
        : {
            name: text(client, 'name'),
            version: text(client, 'version'),
            agent: text(client, 'agent'),
          },
    outcome: outcome as ActivityOutcome,
    reason: text(entry, 'reason'),
  }
  if (own(entry, 'event') !== 'call') return { ...about, call: undefined }
  const ms = own(entry, 'ms')
  const values = own(own(entry, 'arguments'), 'values')
  return {
    ...about,
    call: {
      tool: text(entry, 'tool'),
      component: text(entry, 'component'),
      outcome: about.outcome,
      reason: about.reason,
      ms: typeof ms === 'number' ? ms : undefined,
      job: text(entry, 'job'),
      ...(withArguments && values !== undefined && { arguments: redactNames(values) }),
    },
  }
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}

function text(value: unknown, key: string): string | undefined {
  const found = own(value, key)
  return typeof found === 'string' && found !== '' ? found.slice(0, MAX_TEXT) : undefined
}
