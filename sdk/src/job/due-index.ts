/**
 * An index of jobs by expiry, to delete jobs that no client reads again without listing every key.
 *
 * `due:{component}` lists the hours in which something expires, `due:{component}:{hour}:{shard}` the jobs of one.
 * If two instances write the same list at once, an entry can be lost: that job is then deleted only if it is read after
 * its expiry. The shards make that rare; a lost hour returns to the list with the next job that expires in it.
 */
import { jobKey } from 'ftl-contract'
import type { ContextKeyValue, ToolContext } from '../tool/context.ts'
import { getJson, setJson } from './store.ts'

/** Maximum number of jobs that one start deletes. */
export const SWEEP_LIMIT = 20

const HOUR_MS = 3_600_000
const SHARDS = 8
/** Maximum entries of one list: about half of what a value may hold. */
export const LIST_LIMIT = 4000

/** A job, and the entry of its idempotency key. */
type Due = [id: string, entry?: string]

const hoursKey = (component: string) => `due:${component}`
const listKey = (component: string, hour: number, shard: number) =>
  `due:${component}:${hour}:${shard}`

/**
 * Notes when a job expires.
 *
 * @throws {Error} when the list is full: the job is then deleted only if it is read after its expiry.
 */
export async function noteDue(
  values: ContextKeyValue,
  { component }: ToolContext,
  { id, expiresAt, entry }: { id: string; expiresAt: number; entry: string | undefined },
): Promise<void> {
  const hour = Math.floor(expiresAt / HOUR_MS)
  const hours = (await getJson<number[]>(values, hoursKey(component))) ?? []
  if (!hours.includes(hour)) {
    const sorted = [...hours, hour].sort((a, b) => a - b)
    await setJson(values, hoursKey(component), sorted)
  }
  const key = listKey(component, hour, parseInt(id.slice(0, 1), 16) % SHARDS)
  const list = (await getJson<Due[]>(values, key)) ?? []
  if (list.length >= LIST_LIMIT) {
    throw new Error(`${key} is full: ${LIST_LIMIT} jobs expire in this hour`)
  }
  list.push(entry === undefined ? [id] : [id, entry])
  await setJson(values, key, list)
}

/** Deletes at most `limit` jobs of the oldest hour, once it is over. */
export async function sweep(
  values: ContextKeyValue,
  { platform, component }: ToolContext,
  limit: number = SWEEP_LIMIT,
): Promise<void> {
  const hours = await getJson<number[]>(values, hoursKey(component))
  const [hour] = hours ?? []
  if (!hours || hour === undefined || hour >= Math.floor(platform.now() / HOUR_MS)) return
  let left = limit
  for (let shard = 0; shard < SHARDS; shard++) {
    const key = listKey(component, hour, shard)
    const list = await getJson<Due[]>(values, key)
    if (!list) continue
    const gone = list.slice(0, left)
    for (const due of gone) await remove(values, due)
    left -= gone.length
    // Only after the jobs: after a crash here the next sweep repeats the work, and no job is missing from the index.
    if (gone.length < list.length) return setJson(values, key, list.slice(gone.length))
    await values.delete(key)
  }
  const latest = (await getJson<number[]>(values, hoursKey(component))) ?? []
  await setJson(
    values,
    hoursKey(component),
    latest.filter((other) => other !== hour),
  )
}

async function remove(values: ContextKeyValue, [id, entry]: Due): Promise<void> {
  await values.delete(jobKey(id))
  if (entry === undefined) return
  // The same key may have been used again since.
  const known = await getJson<{ jobId: string }>(values, entry)
  if (known?.jobId === id) await values.delete(entry)
}
