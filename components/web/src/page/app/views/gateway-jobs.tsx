/** Jobs as the gateway has them: the caller's own, from any client, or those of all callers. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { cancel } from '../jobs/follow.ts'
import { type GatewayJob, readPage } from '../jobs/read-gateway-jobs.ts'
import { isOver } from '../jobs/known-jobs.ts'
import { wordsOf } from '../net/tools.ts'
import { when } from './gallery.tsx'
import { JobFilterBar, matchesJob, NO_JOB_FILTER } from './job-filter.tsx'
import { STATE_WORDS } from './job-words.ts'
import { TimeLeft } from './time-left.tsx'

const AGAIN_MS = 3000

export function GatewayJobs({ of }: { of: 'me' | 'all' }) {
  const [jobs, setJobs] = useState<readonly GatewayJob[]>([])
  const [next, setNext] = useState<string | undefined>()
  const [problem, setProblem] = useState('')
  const [filter, setFilter] = useState(NO_JOB_FILTER)
  // While further pages are shown, the list is not replaced by its first page.
  const hasMore = useRef(false)
  const read = async (after?: string) => {
    try {
      const page = await readPage(of, after)
      setJobs((before) => (after === undefined ? page.jobs : [...before, ...page.jobs]))
      setNext(page.next)
      setProblem('')
    } catch (failure) {
      setProblem(wordsOf(failure))
    }
  }
  useEffect(() => {
    hasMore.current = false
    setJobs([])
    const look = () => {
      if (!hasMore.current && document.visibilityState === 'visible') void read()
    }
    look()
    const timer = setInterval(look, AGAIN_MS)
    return () => clearInterval(timer)
  }, [of])
  const list = jobs.filter((job) => matchesJob(job, filter))
  const running = list.filter((job) => job.isOwn && !isOver(job))
  const stop = async (some: readonly GatewayJob[]) => {
    const ends = await Promise.allSettled(some.map(({ id }) => cancel(id)))
    const failed = ends.filter(({ status }) => status === 'rejected').length
    hasMore.current = false
    await read()
    if (failed > 0) setProblem(`${failed} of ${ends.length} jobs could not be cancelled.`)
  }
  const tools = [...new Set(jobs.map(({ tool }) => tool))].sort()
  return (
    <>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <JobFilterBar filter={filter} tools={tools} onChange={setFilter} />
      {running.length > 1 && (
        <p>
          <button type="button" class="small" onClick={() => void stop(running)}>
            Cancel running ({running.length})
          </button>
        </p>
      )}
      {list.length === 0 && problem === '' && <p class="notice">The gateway has no such job.</p>}
      <ul class="rows">
        {list.map((job) => (
          <li key={job.id}>
            <Row job={job} onCancel={() => void stop([job])} />
          </li>
        ))}
      </ul>
      {next !== undefined && (
        <button
          type="button"
          class="small"
          onClick={() => {
            hasMore.current = true
            void read(next)
          }}
        >
          Show more
        </button>
      )}
    </>
  )
}

function Row({ job, onCancel }: { job: GatewayJob; onCancel: () => void }) {
  const { tool, state, message, error, progress, total, startedAt, keptUntil, owner, isOwn } = job
  const words = error ?? message ?? ''
  return (
    <article class="row" aria-label={`${tool}, ${STATE_WORDS[state]}`}>
      <div class="line">
        <b>{tool}</b>
        <span class="badge" data-state={state}>
          {STATE_WORDS[state]}
        </span>
        {owner !== undefined && <span class="faint small-text">{isOwn ? 'you' : owner}</span>}
        <span class="grow" />
        {isOwn && !isOver(job) && (
          <button type="button" class="small" data-part="end" onClick={onCancel}>
            <Icon name="close" /> Cancel
          </button>
        )}
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
        {keptUntil !== undefined && ` · kept until ${when(keptUntil)}`}
      </p>
    </article>
  )
}
