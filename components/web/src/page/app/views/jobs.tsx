/** Everything this browser has started, and how it is. */
import { useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { cancel } from '../jobs/follow.ts'
import { promptOf } from '../jobs/job-card.tsx'
import { isOver, type KnownJob, jobs, newestFirst, removeJobs } from '../jobs/known-jobs.ts'
import { wordsOf } from '../net/tools.ts'
import { ResultView } from '../result-view.tsx'
import { useStore } from '../store.ts'
import { toolLink } from '../tool-link.ts'
import { when } from './gallery.tsx'
import { focusHeading, RemoveButton, UndoNotice } from './remove-jobs.tsx'

export function Jobs() {
  const list = newestFirst(useStore(jobs))
  return (
    <>
      <header class="view-head">
        <h1 tabIndex={-1}>Jobs</h1>
        <span class="grow" />
        <RemoveAll words="Remove expired" jobs={list.filter(({ state }) => state === 'expired')} />
        <RemoveAll words="Remove finished" jobs={list.filter(isOver)} />
      </header>
      <UndoNotice />
      {list.length === 0 && (
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

const WORDS: Record<KnownJob['state'], string> = {
  working: 'working',
  input_required: 'waits for an answer',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
}

function Row({ job }: { job: KnownJob }) {
  const { id, tool, state, message, error, progress, total, startedAt, result, isLost } = job
  const [problem, setProblem] = useState('')
  const stop = () => cancel(id).catch((failure: unknown) => setProblem(wordsOf(failure)))
  const words = isLost ? 'Connection lost; trying again' : (error ?? message ?? '')
  return (
    <article class="row" aria-label={`${tool}, ${WORDS[state]}`}>
      <div class="line">
        <b>{tool}</b>
        <span class="badge" data-state={state}>
          {WORDS[state]}
        </span>
        <span class="grow" />
        {job.arguments && (
          <a class="button small" href={toolLink(tool, job.arguments)}>
            <Icon name="open" /> Open in Tools
          </a>
        )}
        {isOver(job) ? (
          <RemoveButton id={id} />
        ) : (
          <button type="button" class="small" data-part="end" onClick={() => void stop()}>
            <Icon name="close" /> Cancel
          </button>
        )}
      </div>
      <p class="clamped">{promptOf(job)}</p>
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
