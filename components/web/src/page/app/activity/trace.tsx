/** What happened during a request, as bars on one scale: gateway, components, stores and network. */
import { useMemo, useState } from 'preact/hooks'
import { duration, type RequestActivity, type Span } from './request-activity.ts'
import { spanRows } from './span-rows.ts'
import './activity.css'

const KINDS: Readonly<Record<string, string>> = {
  component: 'runs',
  call: 'calls',
  kv: 'store',
  variable: 'variable',
  network: 'network',
  other: 'other',
}

export function Trace({ request }: { request: RequestActivity }) {
  const { spans, isWatched, outcome, ms } = request
  const [hasVariables, setVariables] = useState(false)
  const rows = useMemo(
    () => spanRows(spans, ({ kind }) => hasVariables || kind !== 'variable'),
    [spans, hasVariables],
  )
  const whole = Math.max(ms, ...spans.map((span) => span.start + span.ms), 0.001)
  const variables = spans.filter(({ kind }) => kind === 'variable').length
  if (rows.length === 0) {
    return <p class="notice">{emptyWords(isWatched, outcome)}</p>
  }
  return (
    <div class="trace">
      <p class="trace-sum small-text faint">{summary(request)}</p>
      <div class="trace-scale" aria-hidden="true">
        <span>0</span>
        <span>{duration(whole / 2)}</span>
        <span>{duration(whole)}</span>
      </div>
      <ol class="trace-rows" aria-label="Trace">
        {request.retries > 0 && <Retries count={request.retries} />}
        {rows.map(({ span, depth }) => (
          <Row key={span.id} span={span} depth={depth} whole={whole} />
        ))}
      </ol>
      {variables > 0 && (
        <label class="check small-text">
          <input
            type="checkbox"
            checked={hasVariables}
            onChange={({ currentTarget }) => setVariables(currentTarget.checked)}
          />
          Show the {variables} reads of variables
        </label>
      )}
      {request.dropped > 0 && (
        <p class="small-text faint">{request.dropped} spans or lines more were not kept.</p>
      )}
    </div>
  )
}

interface RowProps {
  span: Span
  depth: number
  /** Milliseconds of the scale. */
  whole: number
}

function Row({ span, depth, whole }: RowProps) {
  const { kind, name, start, ms, status, error } = span
  const left = Math.min((100 * start) / whole, 99.5)
  const width = Math.max((100 * ms) / whole, 0.4)
  const isBad = error !== undefined || (status ?? 0) >= 500
  return (
    <li class="trace-row" data-kind={kind} data-bad={isBad}>
      <span class="trace-name" style={{ paddingInlineStart: `${depth * 0.75}rem` }}>
        <span class="trace-kind">{KINDS[kind] ?? kind}</span> {name}
        {status !== undefined && <span class="trace-status"> {status}</span>}
        {error !== undefined && error !== '' && <span class="problem"> {error}</span>}
      </span>
      <span class="trace-ms">{duration(ms)}</span>
      <span class="trace-lane" aria-hidden="true">
        <span
          class="trace-bar"
          style={{ insetInlineStart: `${left}%`, width: `${Math.min(width, 100 - left)}%` }}
        />
      </span>
    </li>
  )
}

/** The host counts them; when each attempt began is not known. */
function Retries({ count }: { count: number }) {
  return (
    <li class="trace-row" data-kind="retry" data-bad>
      <span class="trace-name">
        <span class="trace-kind">retry</span> started again {plural(count, 'time')}{' '}
        <span class="problem">the worker was lost</span>
      </span>
    </li>
  )
}

function summary({ ms, components, spans, status }: RequestActivity): string {
  const count = (kind: string) => spans.filter((span) => span.kind === kind).length
  const parts = [
    duration(ms),
    status === 0 ? '' : `status ${status}`,
    plural(components.length, 'component'),
    some(count('kv'), 'store call'),
    some(count('network'), 'network request'),
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

const some = (count: number, word: string) => (count === 0 ? '' : plural(count, word))

export const plural = (count: number, word: string): string =>
  `${count} ${word}${count === 1 ? '' : 's'}`

function emptyWords(isWatched: boolean, outcome: string): string {
  if (!isWatched) {
    return 'This request began before anyone watched, so it has no trace. Send it again while this page is open.'
  }
  if (outcome === 'running') return 'The request is running. Its trace is here when it has ended.'
  return 'No component ran for this request: the host answered it itself.'
}
