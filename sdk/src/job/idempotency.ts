/**
 * The same idempotency key of the same caller and tool means the same job.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
import type { ToolContext } from '../tool/context.ts'
import { ToolError } from '../tool/errors.ts'
import type { OwnJob } from './definition.ts'
import { getJson, type JobStore, setJson } from './store.ts'

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
export async function findJob(
  store: JobStore,
  { entry, digest }: Idempotency,
): Promise<OwnJob | undefined> {
  const known = await getJson<Entry>(store.values, entry)
  const job = known && (await store.read(known.jobId))
  if (job && known.digest !== digest) throw new IdempotencyKeyReuse()
  return job
}

/**
 * Puts the key in the job's name, and looks whose it is then: of two calls at the same time the later writer wins and
 * the other withdraws. Not airtight without a compare-and-swap: a call that looks before the other has written starts
 * its job as well.
 *
 * @returns the job of the key: this one, or the winner's.
 * @throws {IdempotencyKeyReuse}
 */
export async function claim(store: JobStore, key: Idempotency, job: OwnJob): Promise<OwnJob> {
  const entry: Entry = { jobId: job.id, digest: key.digest }
  await setJson(store.values, key.entry, entry)
  return (await findJob(store, key)) ?? job
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
