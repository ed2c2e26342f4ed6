/** The pictures of a conversation, from its jobs and from what its answers contain. */
import { jobsOf, type Message } from '../chat/message.ts'
import { promptOf } from '../jobs/job-card.tsx'
import type { KnownJob } from '../jobs/known-jobs.ts'
import { asArray, asRecord, count } from '../net/api.ts'
import { atAddress, picturesOf } from '../net/result.ts'

export interface Picture {
  /** Without the link of its owner. */
  url: string
  prompt: string
  seed?: number
  /** What made it. */
  job?: KnownJob
}

/** The newest first. */
export function picturesIn(
  messages: readonly Message[],
  jobs: ReadonlyMap<string, KnownJob>,
): Picture[] {
  const found = messages.flatMap((message) => [
    ...jobsOf(message).flatMap((id) => picturesOfJob(jobs.get(id))),
    ...message.artifacts
      .filter(({ jobId }) => jobId === undefined)
      .map(({ url, title, mimeType }) => atAddress(url, title, mimeType))
      .flatMap((item) => (item.kind === 'image' ? [{ url: item.url, prompt: item.name }] : [])),
    ...picturesOf(message.data?.result).map((url) => ({
      url,
      prompt: message.data?.call?.tool ?? '',
    })),
  ])
  return [...new Map(found.map((picture) => [picture.url, picture])).values()].reverse()
}

function picturesOfJob(job: KnownJob | undefined): Picture[] {
  if (!job) return []
  const made = asRecord(asRecord(job.result)['structuredContent'])
  const seeds = asArray(made['seeds'])
  return picturesOf(job.result).map((url, place) => {
    const seed = count(seeds[place]) ?? count(made['seed']) ?? count(job.arguments?.['seed'])
    return { url, prompt: promptOf(job) || job.tool, job, ...(seed !== undefined && { seed }) }
  })
}
