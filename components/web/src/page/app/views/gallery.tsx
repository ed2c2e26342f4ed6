/** Pictures that were made in this browser. */
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { callTool, newKey, varied } from '../jobs/call.ts'
import { pollJob } from '../jobs/follow.ts'
import { promptOf } from '../jobs/job-card.tsx'
import { isOver, type KnownJob, jobs, newestFirst } from '../jobs/known-jobs.ts'
import { addressWith, useLink } from '../jobs/file-links.ts'
import { ApiError, asRecord } from '../net/api.ts'
import { picturesOf } from '../net/result.ts'
import { catalog, wordsOf } from '../net/tools.ts'
import { useStore } from '../store.ts'
import { RemoveButton, UndoNotice } from './remove-jobs.tsx'

export function Gallery() {
  const made = newestFirst(useStore(jobs)).filter(isPictureJob)
  return (
    <>
      <header class="view-head">
        <h1 tabIndex={-1}>Gallery</h1>
      </header>
      <UndoNotice />
      {made.length === 0 && (
        <p class="notice">
          Nothing here yet. Pictures appear when a tool has made one:{' '}
          <a href="#/chat">make the first</a>.
        </p>
      )}
      <ul class="gallery">
        {made.map((job) => (
          <li key={job.id}>
            <Picture job={job} />
          </li>
        ))}
      </ul>
    </>
  )
}

function isPictureJob(job: KnownJob): boolean {
  if (picturesOf(job.result).length > 0) return true
  return job.state === 'expired' || (!isOver(job) && job.arguments?.['prompt'] !== undefined)
}

function Picture({ job }: { job: KnownJob }) {
  const { id, state, tool, startedAt, result } = job
  const [hasGone, setGone] = useState(false)
  const isGone = hasGone || state === 'expired'
  const [problem, setProblem] = useState('')
  const link = useLink(id)
  const url = addressWith(link, picturesOf(result)[0] ?? '')
  const seed = asRecord(asRecord(result)['structuredContent'])['seed'] ?? job.arguments?.['seed']
  const again = varied(job, useStore(catalog).tools)
  const prompt = promptOf(job) || tool

  // The record may have expired since it was kept; then so have its files.
  useEffect(() => {
    if (!isOver(job) || state === 'expired') return
    pollJob(id).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) setGone(true)
    })
  }, [id])

  const vary = async () => {
    setProblem('')
    try {
      await callTool(tool, again ?? {}, { key: newKey() })
    } catch (error) {
      setProblem(wordsOf(error))
    }
  }
  return (
    <article class="card" aria-label={prompt}>
      {url !== undefined && url !== '' && !isGone ? (
        <a class="frame" href={url} target="_blank" rel="noopener">
          <img
            src={url}
            alt={prompt}
            loading="lazy"
            decoding="async"
            onError={() => setGone(true)}
          />
        </a>
      ) : (
        <div class="frame empty">
          {isGone ? 'Expired' : <div class="shimmer" aria-hidden="true" />}
        </div>
      )}
      <div class="card-foot">
        <p class="clamped">{prompt}</p>
        <p class="faint small-text">
          <time dateTime={new Date(startedAt).toISOString()}>{when(startedAt)}</time>
          {(typeof seed === 'number' || typeof seed === 'string') && ` · seed ${seed}`}
          {!isOver(job) && ` · ${job.message ?? 'working'}`}
        </p>
        <div class="actions tight">
          {again && (
            <button type="button" class="small" onClick={() => void vary()}>
              <Icon name="vary" /> Vary
            </button>
          )}
          <RemoveButton id={id} />
        </div>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
      </div>
    </article>
  )
}

export function when(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}
