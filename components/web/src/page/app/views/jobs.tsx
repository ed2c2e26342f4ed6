/** Jobs, and how they are: those that this browser has started, and those that the gateway has. */
import { useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { callTool, newKey } from '../jobs/call.ts'
import { cancel } from '../jobs/follow.ts'
import { promptOf } from '../jobs/job-card.tsx'
import { addressWith, useLink } from '../jobs/file-links.ts'
import { isOver, type KnownJob, jobs, newestFirst } from '../jobs/known-jobs.ts'
import { removeJobs } from '../jobs/removal.ts'
import { picturesOf } from '../net/result.ts'
import { catalog, wordsOf } from '../net/tools.ts'
import { ResultView } from '../result-view.tsx'
import { useStore } from '../store.ts'
import { toolLink } from '../tool-link.ts'
import { when } from './gallery.tsx'
import { JobFilterBar, matchesJob, NO_JOB_FILTER } from './job-filter.tsx'
import { GatewayJobs } from './gateway-jobs.tsx'
import { STATE_WORDS } from './job-words.ts'
import { TimeLeft } from './time-left.tsx'
import { focusHeading, RemoveButton, UndoNotice } from './remove-jobs.tsx'

const SOURCES = { browser: 'This browser', me: 'My jobs', all: 'All callers' } as const
type Source = keyof typeof SOURCES

export function Jobs() {
  const [source, setSource] = useState<Source>('browser')
  return (
    <>
      <header class="view-head">
        <h1 tabIndex={-1}>Jobs</h1>
        <span class="grow" />
        <span class="job-filter">
          <select
            aria-label="Jobs of"
            value={source}
            onChange={({ currentTarget }) => setSource(currentTarget.value as Source)}
          >
            {Object.entries(SOURCES).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </span>
      </header>
      {source === 'browser' ? <BrowserJobs /> : <GatewayJobs key={source} of={source} />}
    </>
  )
}

function BrowserJobs() {
  const all = newestFirst(useStore(jobs))
  const [filter, setFilter] = useState(NO_JOB_FILTER)
  const list = all.filter((job) => matchesJob(job, filter))
  const tools = [...new Set(all.map(({ tool }) => tool))].sort()
  return (
    <>
      <div class="actions">
        <CancelAll jobs={list.filter((job) => !isOver(job))} />
        <RemoveAll words="Remove expired" jobs={list.filter(({ state }) => state === 'expired')} />
        <RemoveAll words="Remove finished" jobs={list.filter(isOver)} />
      </div>
      <UndoNotice />
      {all.length > 1 && <JobFilterBar filter={filter} tools={tools} onChange={setFilter} />}
      {all.length > 0 && list.length === 0 && <p class="notice">No job matches the filter.</p>}
      {all.length === 0 && (
        <p class="notice">
          No jobs yet. A tool that takes longer starts one, and it goes on whether or not this page
          is open.
        </p>
      )}
      <ul class="rows">
        {list.map((job) => (
          <li key={job.id}>
            <Row job={job} />
          </li>
        ))}
      </ul>
    </>
  )
}

function RemoveAll({ words, jobs: some }: { words: string; jobs: readonly KnownJob[] }) {
  if (some.length === 0) return null
  const remove = () => {
    removeJobs(some.map(({ id }) => id))
    focusHeading()
  }
  return (
    <button type="button" class="small" onClick={remove}>
      {words} ({some.length})
    </button>
  )
}

function CancelAll({ jobs: some }: { jobs: readonly KnownJob[] }) {
  const [problem, setProblem] = useState('')
  const running = some.length
  const stop = async () => {
    const ends = await Promise.allSettled(some.map(({ id }) => cancel(id)))
    const failed = ends.filter(({ status }) => status === 'rejected').length
    setProblem(failed === 0 ? '' : `${failed} of ${ends.length} jobs could not be cancelled.`)
    focusHeading()
  }
  return (
    <>
      {problem !== '' && (
        <span class="problem small-text" role="alert">
          {problem}
        </span>
      )}
      {running > 1 && (
        <button type="button" class="small" onClick={() => void stop()}>
          Cancel running ({running})
        </button>
      )}
    </>
  )
}

function Row({ job }: { job: KnownJob }) {
  const { id, tool, state, message, error, progress, total, startedAt, result, isLost } = job
  const { tools } = useStore(catalog)
  const [problem, setProblem] = useState('')
  const stop = () => cancel(id).catch((failure: unknown) => setProblem(wordsOf(failure)))
  const again = () =>
    callTool(tool, job.arguments ?? {}, { key: newKey() }).then(
      () => setProblem(''),
      (failure: unknown) => setProblem(wordsOf(failure)),
    )
  const words = isLost ? 'Connection lost; trying again' : (error ?? message ?? '')
  return (
    <article class="row" aria-label={`${tool}, ${STATE_WORDS[state]}`}>
      <div class="line">
        <b>{tool}</b>
        <span class="badge" data-state={state}>
          {STATE_WORDS[state]}
        </span>
        <span class="grow" />
        {job.arguments && (
          <a class="button small" href={toolLink(tool, job.arguments, tools)}>
            <Icon name="open" /> Open in Tools
          </a>
        )}
        {isRetried(job) && (
          <button type="button" class="small" onClick={() => void again()}>
            <Icon name="again" /> Try again
          </button>
        )}
        {isOver(job) ? (
          <RemoveButton id={id} />
        ) : (
          <button type="button" class="small" data-part="end" onClick={() => void stop()}>
            <Icon name="close" /> Cancel
          </button>
        )}
      </div>
      <div class="job-about">
        <Thumbnail job={job} />
        <p class="clamped">{promptOf(job)}</p>
      </div>
      {!isOver(job) && (
        <progress
          aria-label={`Progress of ${tool}`}
          value={progress !== undefined && total !== undefined ? progress : undefined}
          max={total ?? 1}
        />
      )}
      <p class="faint small-text">
        {when(startedAt)}
        {words !== '' && ` · ${words}`}
        <TimeLeft job={job} />
      </p>
      {result !== undefined && (
        <details class="json">
          <summary>Result</summary>
          <ResultView result={result} />
        </details>
      )}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </article>
  )
}

/** The first picture that it has made. The words beside it name it. */
function Thumbnail({ job: { id, result } }: { job: KnownJob }) {
  const link = useLink(id)
  const [isBroken, setBroken] = useState(false)
  const [first] = picturesOf(result)
  const address = first === undefined ? undefined : addressWith(link, first)
  if (address === undefined || isBroken) return null
  return (
    <a href={address} target="_blank" rel="noopener" aria-label="Open the picture">
      <img src={address} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
    </a>
  )
}

function isRetried({ state, arguments: args }: KnownJob): boolean {
  return args !== undefined && ['failed', 'cancelled', 'expired'].includes(state)
}
