/** What the user removes from the list of jobs, and takes back. */
import { createStore } from '../store.ts'
import { forgetJob, jobs, type KnownJob, put } from './known-jobs.ts'

/** The jobs of the last removal, until another one. */
export const removed = createStore<readonly KnownJob[]>([])

/** Removes jobs from the list, so that it can be undone. */
export function removeJobs(ids: readonly string[]): void {
  const known = jobs.get()
  const gone = ids.flatMap((id) => known.get(id) ?? [])
  removed.set(() => gone)
  for (const { id } of gone) forgetJob(id)
}

export function undoRemoval(): void {
  for (const job of removed.get()) put(job)
  removed.set(() => [])
}
