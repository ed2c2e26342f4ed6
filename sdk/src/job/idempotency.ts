/**
 * The same idempotency key of the same caller and tool means the same job.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
import type { ToolContext } from '../tool/context.ts'
import { ToolError } from '../tool/errors.ts'
import type { OwnJob } from './definition.ts'
import { jsonOf, type JobStore } from './store.ts'

/** The key was used before, with other arguments: answering with that job would answer another question. */
export class IdempotencyKeyReuse extends ToolError {
  override readonly name = 'IdempotencyKeyReuse'
  constructor() {
    const kind = 'idempotency_key_reuse'
    super(`${kind}: this key was already used with other arguments; use a new one.`, { kind })
  }
}

export interface Idempotency {
  /** Key of the store's entry: a client's own may be longer than a key can be, and of any characters. */
  entry: string
  /** Of the arguments. */
  digest: string
}

interface Entry {
  jobId: string
  digest: string
}

/** `undefined` when the caller sent no key. */
export async function idempotencyOf(
  tool: string,
  args: unknown,
  { component, principal = '', idempotencyKey }: ToolContext,
): Promise<Idempotency | undefined> {
  if (idempotencyKey === undefined) return undefined
  const [entry, digest] = await Promise.all([
    sha256(JSON.stringify([component, tool, principal, idempotencyKey])),
    sha256(JSON.stringify(sorted(args))),
  ])
  return { entry: `idem:${entry}`, digest }
}

/**
 * The job that was started with this key, if it is still there.
 *
 * @throws {IdempotencyKeyReuse}
 */
export async function findJob(store: JobStore, { entry, digest }: Idempotency): Promise<FoundJob> {
  const bytes = await store.values.get(entry)
  const known = jsonOf<Entry>(bytes)
  const job = known && (await store.read(known.jobId))
  if (job && known.digest !== digest) throw new IdempotencyKeyReuse()
  return { job, bytes }
}

export interface FoundJob {
  job: OwnJob | undefined
  /** The entry of the key, which may name a job that is no longer stored. */
  bytes: Uint8Array | undefined
}

/**
 * Puts the key in the job's name, and looks whose it is then.
 *
 * Where the host compares (`setIf`), one of several calls at the same time gets the key, and the others return its job.
 * Elsewhere the later writer gets it and the other withdraws, which is not airtight: a call that looks before the other has
 * written starts its job as well.
 *
 * @param bytes the entry of the key as it was found.
 * @returns the job of the key: this one, or the winner's.
 * @throws {IdempotencyKeyReuse}
 */
export async function claim(
  store: JobStore,
  key: Idempotency,
  job: OwnJob,
  bytes: Uint8Array | undefined,
): Promise<OwnJob> {
  const entry: Entry = { jobId: job.id, digest: key.digest }
  const json = JSON.stringify(entry)
  const isClaimed = await store.values.setIf?.(key.entry, bytes, json)
  if (isClaimed === true) return job
  if (isClaimed === undefined) await store.values.set(key.entry, json)
  const found = await findJob(store, key)
  // Not claimed, and the winner has withdrawn or expired meanwhile.
  if (isClaimed === false && !found.job) return claim(store, key, job, found.bytes)
  return found.job ?? job
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The order of names says nothing. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(pairs.map(([name, below]) => [name, sorted(below)]))
}
