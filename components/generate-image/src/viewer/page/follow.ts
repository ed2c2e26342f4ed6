/** Follows a job to its end: by asking for it, and by its stream where there is one. */
import type { Card } from './card.ts'
import type { Arguments, ToolResult } from './host-protocol.ts'
import { readResult, type Seen } from './read-result.ts'
import { openStream, type Stream } from './stream.ts'

export interface Jobs {
  call(name: string, args: Arguments): Promise<ToolResult>
  mayCall(): boolean
  /** The host takes the page away. */
  isLeft(): boolean
  /** The job of the card is known. */
  began(card: Card): void
}

/** Consecutive polls of a job that may fail before the viewer gives up. */
const PATIENCE = 3
/** Milliseconds between polls while the stream delivers. */
const RARELY_MS = 8_000
/** Milliseconds without a message after which a stream counts as silent. */
const SILENT_MS = 4_000

/** @returns what the job ended with, or how far it is where the viewer may not ask. */
export async function follow(card: Card, first: ToolResult, jobs: Jobs): Promise<Seen> {
  let stream: Stream | undefined
  let wake = () => {}
  const listen = (address: string) =>
    openStream(address, {
      progress: (progress) => card.state === 'running' && card.running('', progress),
      preview: (url) => card.state === 'running' && card.preview(url),
      ended: () => wake(),
    })
  let isOffered = false
  try {
    for (let result = first, failures = 0; ;) {
      const seen = readResult(result)
      if (card.state !== 'running' || jobs.isLeft()) return seen
      if (seen.kind === 'pictures') card.completed(seen)
      if (seen.kind === 'failed') card.ended('failed', seen.text)
      if (seen.kind !== 'job') return seen
      card.running(seen.text, seen.progress)
      if (!jobs.mayCall()) return seen
      if (!isOffered) card.offerCancel(() => void cancel(card, seen.id, jobs))
      isOffered = true
      jobs.began(card)
      if (seen.stream !== undefined) stream ??= listen(seen.stream)
      // What the host names has no words yet.
      const isNew = seen.text === '' && seen.stream === undefined && result === first
      await new Promise<void>((resolve) => {
        wake = resolve
        const isHeard = stream !== undefined && stream.silence() < SILENT_MS
        setTimeout(resolve, isNew ? 0 : isHeard ? RARELY_MS : seen.pollMs)
      })
      try {
        result = await jobs.call('get_job', { job_id: seen.id })
        failures = 0
      } catch (error) {
        if (++failures < PATIENCE) continue
        if (card.state === 'running') card.ended('failed', messageOf(error))
        return seen
      }
    }
  } finally {
    stream?.close()
  }
}

async function cancel(card: Card, id: string, jobs: Jobs): Promise<void> {
  card.running('Cancelling')
  try {
    const result = await jobs.call('cancel_job', { job_id: id })
    const { status } = (result.structuredContent ?? {}) as { status?: unknown }
    if (card.state === 'running' && status === 'cancelled') card.ended('cancelled', 'Cancelled.')
    else if (result.isError === true) card.running(readResult(result).text)
  } catch (error) {
    card.running(messageOf(error))
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
