/**
 * The same idempotency key of the same caller means the same job.
 *
 * @module
 */
import { getJson, setJson } from 'ftl-platform'
import type { ContextKeyValue, ToolContext } from 'ftl-sdk'
import { type ImageJob, readJob } from './job-store.ts'

/** Name of the entry that leads to the job; the key itself may be longer than a store's key can be. */
export async function idempotencyEntry(
  key: string,
  { component, principal = '' }: ToolContext,
): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify([component, principal, key]))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  return `idem:${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

export async function findJob(
  store: ContextKeyValue,
  entry: string,
  context: ToolContext,
): Promise<ImageJob | undefined> {
  const known = await getJson<{ jobId: string }>(store, entry)
  return known && readJob(store, known.jobId, context)
}

export async function rememberJob(
  store: ContextKeyValue,
  entry: string,
  job: ImageJob,
): Promise<void> {
  await setJson(store, entry, { jobId: job.id })
}
