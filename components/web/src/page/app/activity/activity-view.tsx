/** What the gateway does now: components, services, and each request with its trace. */
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import type { Route } from '../route.ts'
import { useStore } from '../store.ts'
import { activity, clearRequests, followActivity, keyOf } from './activity-store.ts'
import type { ActivityState } from './activity-store.ts'
import { ComponentCards } from './component-cards.tsx'
import { FilterBar } from './filter-bar.tsx'
import { matchesFilter, NO_FILTER } from './request-filter.ts'
import { RequestRow } from './request-row.tsx'
import { Services } from './services.tsx'
import './activity.css'
import './activity-view.css'

/** Rows that are drawn; a filter finds the others. */
const MOST_ROWS = 200

export function ActivityView({ of }: Pick<Route, 'of'>) {
  const now = useStore(activity)
  const [paused, setPaused] = useState<ActivityState | undefined>()
  const [filter, setFilter] = useState(NO_FILTER)
  const [opened, setOpened] = useState('')
  useEffect(() => {
    const controller = new AbortController()
    void followActivity(controller.signal)
    return () => controller.abort()
  }, [])
  useEffect(() => {
    if (of !== '') setFilter({ ...NO_FILTER, words: of, hasReads: true })
  }, [of])
  const shown = paused ?? now
  const all = [...shown.requests.values()].reverse()
  const found = all.filter((request) => matchesFilter(request, filter))
  if (now.state === 'forbidden') return <Forbidden problem={now.problem} />
  return (
    <>
      <header class="view-head">
        <h1 tabIndex={-1}>Activity</h1>
        <span class="grow" />
        <span class="badge" data-state={now.state === 'live' && !paused ? 'ok' : 'unused'}>
          {stateWords(now, paused !== undefined)}
        </span>
      </header>
      {now.state === 'other' && <p class="notice">{now.problem}</p>}
      {now.state === 'broken' && now.problem !== '' && <p class="problem">{now.problem}</p>}
      <section aria-label="Components">
        <ComponentCards
          components={shown.components}
          onChoose={(words) => setFilter({ ...filter, words })}
        />
      </section>
      <Services />
      {shown.notices.length > 0 && (
        <details class="notices">
          <summary>Messages of the host ({shown.notices.length})</summary>
          <ul>
            {shown.notices.toReversed().map(({ time, component, message }) => (
              <li key={time + message}>
                <b>{component}</b> {message}
              </li>
            ))}
          </ul>
        </details>
      )}
      <section aria-label="Requests">
        <div class="line requests-head">
          <h2>Requests</h2>
          <span class="grow" />
          <button
            type="button"
            class="small"
            aria-pressed={paused !== undefined}
            onClick={() => setPaused(paused ? undefined : now)}
          >
            <Icon name={paused ? 'play' : 'pause'} /> {paused ? 'Continue' : 'Pause'}
          </button>
          <button
            type="button"
            class="small"
            onClick={() => {
              clearRequests()
              setPaused(undefined)
            }}
          >
            <Icon name="bin" /> Clear
          </button>
        </div>
        <FilterBar filter={filter} onChange={setFilter} />
        <p class="unseen" role="status">
          {found.length} of {all.length} requests shown
        </p>
        {/* Where the host records none, the notice above says so. */}
        {found.length === 0 && now.state !== 'other' && (
          <p class="notice">
            {all.length === 0
              ? 'No requests yet. Call a tool from the Tools view or from a client, and it appears here.'
              : 'No request matches the filter.'}
          </p>
        )}
        <ul class="requests">
          {found.slice(0, MOST_ROWS).map((request) => (
            <RequestRow
              key={keyOf(request)}
              request={request}
              folder={shown.folder}
              isOpen={opened === keyOf(request)}
              onToggle={() => setOpened(opened === keyOf(request) ? '' : keyOf(request))}
            />
          ))}
        </ul>
        {found.length > MOST_ROWS && (
          <p class="faint small-text">
            The newest {MOST_ROWS} of {found.length} are shown. Filter to find the others.
          </p>
        )}
      </section>
    </>
  )
}

function Forbidden({ problem }: { problem: string }) {
  return (
    <>
      <header class="view-head">
        <h1 tabIndex={-1}>Activity</h1>
      </header>
      <div class="notice">
        <p>
          <b>You may not see the activity of this gateway.</b>
        </p>
        <p>{problem}</p>
        <p class="about">
          Your own jobs are at <a href="#/jobs">Jobs</a>.
        </p>
      </div>
    </>
  )
}

function stateWords({ state, isDevelopment }: ActivityState, isPaused: boolean): string {
  if (isPaused) return 'paused'
  if (state === 'live') return isDevelopment ? 'live, with arguments' : 'live'
  if (state === 'other') return 'from now'
  return state === 'broken' ? 'connection lost; trying again' : 'connecting'
}
