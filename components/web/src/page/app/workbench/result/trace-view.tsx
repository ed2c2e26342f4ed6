/** The spans of a request as a waterfall, and the lines that components printed for it. */
import { visible } from '../../approval/visible.ts'
import { type Span, useActivity } from './activity.ts'

interface OfRequest {
  requestId: string | undefined
  /** Changes when the call has ended. */
  version: unknown
}

/** Spans and lines that are drawn; a host records at most 500 and 1000. */
const MOST = 1000

export function TraceView({ requestId, version }: OfRequest) {
  const { activity, problem } = useActivity(requestId, version)
  if (problem !== '') return <p class="faint">{problem}</p>
  if (!activity) return <p class="faint">Nothing is recorded of this call.</p>
  const { spans, ms, isWatched } = activity
  if (spans.length === 0) return <p class="faint">{notRecorded(isWatched, 'spans')}</p>
  const end = Math.max(ms, ...spans.map((span) => span.start + span.ms), 1)
  const share = (part: number) => `${((100 * part) / end).toFixed(2)}%`
  return (
    <ol class="waterfall" aria-label="Spans">
      {spans.slice(0, MOST).map((span) => (
        <li key={span.id} data-kind={span.kind} data-failed={span.error !== '' || undefined}>
          <span class="span-name" style={{ paddingLeft: `${depthOf(span, spans) * 0.75}rem` }}>
            {visible(span.name)} <span class="faint">{span.kind}</span>
          </span>
          <span class="span-track" aria-hidden="true">
            <span class="span-bar" style={{ left: share(span.start), width: share(span.ms) }} />
          </span>
          <span class="span-ms">{span.ms.toFixed(1)} ms</span>
          {span.error !== '' && <span class="problem span-error">{visible(span.error)}</span>}
        </li>
      ))}
    </ol>
  )
}

const DEEPEST = 8

function depthOf(span: Span, spans: readonly Span[]): number {
  let depth = 0
  for (let at: Span | undefined = span; at && depth < DEEPEST; depth++) {
    const { parent }: Span = at
    at = spans.find(({ id }) => id === parent)
    if (!at) break
  }
  return depth
}

export function LogsView({ requestId, version }: OfRequest) {
  const { activity, problem } = useActivity(requestId, version)
  if (problem !== '') return <p class="faint">{problem}</p>
  if (!activity) return <p class="faint">Nothing is recorded of this call.</p>
  const { lines, isWatched } = activity
  if (lines.length === 0) return <p class="faint">{notRecorded(isWatched, 'lines')}</p>
  return (
    <ol class="log-lines" aria-label="Lines" tabIndex={0}>
      {lines.slice(0, MOST).map(({ at, component, stream, line }, index) => (
        <li key={index} data-stream={stream}>
          <span class="faint">
            {at.toFixed(0)} ms {component}
          </span>{' '}
          {visible(line)}
        </li>
      ))}
    </ol>
  )
}

function notRecorded(isWatched: boolean, what: string): string {
  return isWatched ? `This call has no ${what}.` : `No ${what} were recorded. Run the tool again.`
}
