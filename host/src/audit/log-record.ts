/** A line of the audit log as a log record of OpenTelemetry. */
import { type Attributes, type HrTime, SeverityNumber, TraceFlags } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs'
import { SCOPE, toHrTime } from '../telemetry/span-export.ts'
import { hashOf } from './hash-chain.ts'

const PREFIX = 'ftl.audit'

/** Members that have a field of the record. */
const FIELDS = new Set(['audit', 'time', 'trace'])

/** Objects in objects whose members become attributes. */
const MAX_DEPTH = 2

/** What an operator may not miss: something happened to the log itself. */
const DAMAGE = new Set<unknown>(['torn', 'lost', 'changed'])

/** Outcomes of a call or a decision as it should be. */
const FINE = new Set<unknown>(['ok', 'job', 'input_required', 'cancelled', 'completed'])

/**
 * @param line as it is in the file, with its number and the hash of the line before.
 * @see https://opentelemetry.io/docs/specs/otel/logs/data-model/
 */
export function logRecordOf(line: string, resource: Resource): ReadableLogRecord {
  const entry = membersOf(line)
  const { time, event, outcome, trace } = entry
  const observed = toHrTime(Date.now())
  const [severityNumber, severityText] = severityOf(event, outcome)
  return {
    hrTime: timeOf(time) ?? observed,
    hrTimeObserved: observed,
    severityNumber,
    severityText,
    body: line,
    eventName: `${PREFIX}.${typeof event === 'string' ? event : 'other'}`,
    attributes: {
      ...attributesOf(entry, PREFIX),
      // The next line repeats it in "prev", so a collector's copy can be compared without this host.
      [`${PREFIX}.hash`]: hashOf(line),
    },
    ...(isTraceId(trace) && {
      // The line does not say in which span it was written.
      spanContext: { traceId: trace, spanId: '', traceFlags: TraceFlags.NONE },
    }),
    resource,
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
  }
}

/** A gateway of your own may print lines that only look like JSON; they are sent without attributes. */
function membersOf(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function severityOf(event: unknown, outcome: unknown): [SeverityNumber, string] {
  if (DAMAGE.has(event)) return [SeverityNumber.ERROR, 'ERROR']
  if (outcome === undefined || FINE.has(outcome)) return [SeverityNumber.INFO, 'INFO']
  return [SeverityNumber.WARN, 'WARN']
}

/** Texts, numbers and flags; what is inside an object gets the name of both. Arguments stay in the body. */
function attributesOf(entry: object, prefix: string, depth = 0): Attributes {
  const attributes: Attributes = {}
  for (const [key, value] of Object.entries(entry) as [string, unknown][]) {
    if (FIELDS.has(key) || key === 'values') continue
    const name = `${prefix}.${key}`
    if (['string', 'number', 'boolean'].includes(typeof value)) {
      attributes[name] = value
    } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
      Object.assign(attributes, attributesOf(value, name, depth + 1))
    }
  }
  return attributes
}

function timeOf(time: unknown): HrTime | undefined {
  const ms = typeof time === 'string' ? Date.parse(time) : NaN
  return Number.isNaN(ms) ? undefined : toHrTime(ms)
}

function isTraceId(trace: unknown): trace is string {
  return typeof trace === 'string' && /^(?!0{32})[0-9a-f]{32}$/.test(trace)
}
