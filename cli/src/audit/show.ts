/** Lines of an audit log for people. */
import { visible } from '../terminal/visible-text.ts'

export interface ShowFilter {
  principal?: string | undefined
  tool?: string | undefined
  /** Only what was not allowed. */
  denied?: boolean | undefined
  /** Milliseconds since 1970. */
  since?: number | undefined
}

export type Fields = Readonly<Record<string, unknown>>

/** Outcomes of a request that was not allowed to do what it asked for. */
const DENIED = new Set(['denied', 'refused', 'unauthenticated'])

export function isShownEntry(fields: Fields, filter: ShowFilter): boolean {
  const { principal, tool, denied = false, since } = filter
  if (principal !== undefined && fields['principal'] !== principal) return false
  if (tool !== undefined && fields['tool'] !== tool) return false
  if (denied && !DENIED.has(String(fields['outcome']))) return false
  return since === undefined || Date.parse(String(fields['time'])) >= since
}

/** One line: when, who, what, how it ended. */
export function describeEntry(fields: Fields): string {
  const text = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  const client = fields['client'] as Fields | undefined
  const who = text('principal') ?? text('address') ?? '-'
  const what = text('tool') ?? text('action') ?? text('event') ?? '-'
  const by = client?.['name'] ?? client?.['id'] ?? client?.['agent']
  const more = [
    text('target'),
    text('component') && `of ${text('component')}`,
    text('ms') && `${text('ms')} ms`,
    text('rule') && `rule ${text('rule')}`,
    text('count') && (text('count') === '1' ? 'once' : `${text('count')} times`),
    text('by') && `limit ${text('by')}`,
    text('job') && `job ${text('job')}`,
    typeof by === 'string' ? `by ${by}` : undefined,
    text('reason'),
  ].filter((part): part is string => part !== undefined && part !== '')
  const outcome = text('event') === 'begin' ? 'no outcome' : (text('outcome') ?? '')
  return visible([text('time') ?? '-', who, what, outcome, ...more].join('  '))
}

/** @returns milliseconds since 1970, of a date or of a time span before `now` such as `30m`, `24h` and `7d`. */
export function parseSince(text: string, now: number): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const ms = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit]
  if (ms !== undefined) return now - Number(count) * ms
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(at) ? undefined : at
}
