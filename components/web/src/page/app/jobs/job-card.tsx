/** A job: while it runs its progress and a preview, then what it made. */
import { useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { asRecord, count } from '../net/api.ts'
import { catalog, type Tool, wordsOf } from '../net/tools.ts'
import { picturesOf, readResult } from '../net/result.ts'
import { PartList } from '../part-list.tsx'
import { MOST_PARTS, ShownView } from '../result-view.tsx'
import { useStore } from '../store.ts'
import { callTool, newKey, varied } from './call.ts'
import { addressWith, useLink } from './file-links.ts'
import { cancel } from './follow.ts'
import { isOver, type KnownJob, jobs } from './known-jobs.ts'
import { previews, usePreviews } from './preview.ts'

export interface JobCardProps {
  id: string
  /** Another job has been started from this one. */
  onVaried?: (jobId: string) => void
}

export function JobCard({ id, onVaried }: JobCardProps) {
  const job = useStore(jobs).get(id)
  if (!job) return <p class="about">This job was taken from the list.</p>
  return isOver(job) ? <Over {...{ job, onVaried }} /> : <Running job={job} />
}

function Running({ job }: { job: KnownJob }) {
  const { id, tool, message, progress, total, isLost } = job
  const { tools } = useStore(catalog)
  const preview = useStore(previews).get(id)
  usePreviews(id, true)
  const [problem, setProblem] = useState('')
  const stop = () => cancel(id).catch((error: unknown) => setProblem(wordsOf(error)))
  return (
    <section class="card running" aria-label={`${tool} is running`}>
      {preview !== undefined ? (
        <div class="frame" style={frameOf(job)}>
          <img class="preview" src={preview} alt="Preview of the picture as it is made" />
        </div>
      ) : makesPictures(tool, tools) ? (
        <div class="frame" style={frameOf(job)}>
          <div class="shimmer" aria-hidden="true" />
        </div>
      ) : (
        <p class="job-name">{tool}</p>
      )}
      <div class="card-foot">
        <progress
          aria-label={`Progress of ${tool}`}
          value={progress !== undefined && total !== undefined ? progress : undefined}
          max={total ?? 1}
        />
        <div class="line">
          <span class="grow" data-part="state">
            {isLost ? 'Connection lost; trying again' : (message ?? 'Working')}
            {!isLost && progress !== undefined && total !== undefined && (
              <span class="faint"> · {`${Math.round((100 * progress) / total)} %`}</span>
            )}
          </span>
          <button type="button" class="small" onClick={() => void stop()}>
            <Icon name="close" /> Cancel
          </button>
        </div>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
      </div>
    </section>
  )
}

/** Otherwise a job is shown as what it is: a line of text, not the frame of a picture. */
function makesPictures(tool: string, tools: readonly Tool[]): boolean {
  const { inputSchema } = tools.find(({ name }) => name === tool) ?? {}
  const before = [...jobs.get().values()].filter((job) => job.tool === tool && isOver(job))
  return (
    'seed' in asRecord(inputSchema?.['properties']) ||
    before.some(({ result }) => picturesOf(result).length > 0)
  )
}

const ENDS: Record<string, string> = {
  cancelled: 'Cancelled.',
  expired: 'Expired: the gateway keeps a job for a while only.',
  failed: 'It failed.',
  completed: 'Done.',
}

/** Pictures of one job that are in the document at first. */
const MOST_PICTURES = 12

function Over({ job, onVaried }: { job: KnownJob; onVaried: JobCardProps['onVaried'] }) {
  const { tool, state, error, result } = job
  const [problem, setProblem] = useState('')
  // A conversation is shown before the list of tools has arrived.
  const again = varied(job, useStore(catalog).tools)
  const vary = async () => {
    setProblem('')
    try {
      const called = await callTool(tool, again ?? {}, { key: newKey() })
      if ('jobId' in called) onVaried?.(called.jobId)
    } catch (failure) {
      setProblem(wordsOf(failure))
    }
  }
  const link = useLink(job.id)
  const pictures = picturesOf(result).flatMap((url) => addressWith(link, url) ?? [])
  const { shown, isError } = readResult(result)
  const others = shown.filter(({ kind }) => kind !== 'image')
  const isFine = state === 'completed' && !isError
  return (
    <section class="card" data-state={state} aria-label={`${tool}: ${state}`}>
      <PartList
        items={pictures}
        step={MOST_PICTURES}
        words="pictures"
        view={(url) => (
          <a class="frame" style={frameOf(job)} href={url} key={url} target="_blank" rel="noopener">
            <img src={url} alt={altOf(job)} loading="lazy" decoding="async" />
          </a>
        )}
      />
      <div class="card-foot">
        {!isFine && (
          <p class={state === 'failed' || isError ? 'problem' : 'faint'}>
            {error ?? (isError ? 'The tool says it failed.' : ENDS[state])}
          </p>
        )}
        <PartList
          items={others}
          step={MOST_PARTS}
          words="parts"
          view={(item, index) => <ShownView key={index} item={item} />}
        />
        <div class="actions tight">
          {again && onVaried && (
            <button type="button" class="small" onClick={() => void vary()}>
              <Icon name="vary" /> Vary
            </button>
          )}
          {pictures.slice(0, MOST_PICTURES).map((url, index) => (
            <span class="actions tight" key={url}>
              <a class="button small" href={url} target="_blank" rel="noopener">
                <Icon name="open" /> Open{pictures.length > 1 && ` ${index + 1}`}
              </a>
              <a class="button small" href={url} download={nameOf(url, tool)}>
                <Icon name="download" /> Download{pictures.length > 1 && ` ${index + 1}`}
              </a>
            </span>
          ))}
        </div>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
      </div>
    </section>
  )
}

export function promptOf({ arguments: args }: Pick<KnownJob, 'arguments'>): string {
  const prompt =
    args?.['prompt'] ?? Object.values(args ?? {}).find((value) => typeof value === 'string')
  return typeof prompt === 'string' ? prompt : ''
}

/** A frame of the picture's shape has its size before the picture is there. */
function frameOf({ result, arguments: args }: KnownJob): { aspectRatio: string } | undefined {
  const { width, height } = asRecord(asRecord(result)['structuredContent'])
  const made = [count(width), count(height)]
  if (made[0] && made[1]) return { aspectRatio: made.join('/') }
  const [, wanted, high] = /^(\d{1,2}):(\d{1,2})$/.exec(String(args?.['aspect_ratio'])) ?? []
  return wanted === undefined ? undefined : { aspectRatio: `${wanted}/${high}` }
}

function altOf(job: KnownJob): string {
  return promptOf(job) || `Picture made by ${job.tool}`
}

function nameOf(url: string, tool: string): string {
  return url.startsWith('data:') ? tool : (/[^/]+$/.exec(url.replace(/\?.*/, ''))?.[0] ?? tool)
}
