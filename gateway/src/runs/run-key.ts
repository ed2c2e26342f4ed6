/**
 * Idempotency keys of runs: the same key of the same caller and tool means the same run, as for jobs of components.
 *
 * Keys are in lists, in which those that have expired are deleted by the way. Where the host compares, one of several calls at
 * the same time gets the key.
 */
import type { JobRecord } from 'ftl-contract'
import { sha256 } from 'ftl-http'
import type { ToolCall } from '../invoke/invoker.ts'
import type { Settled } from '../invoke/outcome.ts'
import { storedJob } from '../jobs/kept-jobs.ts'
import { changeEntry, loadEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'

/** Maximum keys of one list, each about 200 characters; a full one forgets its oldest. */
const LIST_LIMIT = 2_000

type Key = [hash: string, job: string, digest: string, expiresAt: number]

export interface RunKey {
  hash: string
  /** Of the tool and its arguments. */
  digest: string
}

/** @returns `undefined` for a call without a key. */
export async function runKeyOf(
  { principal, only }: Scope,
  { name, context }: ToolCall,
  digest: string,
): Promise<RunKey | undefined> {
  const { idempotencyKey: key } = context
  if (key === undefined || key === null) return undefined
  return { hash: await sha256(JSON.stringify([name, principal, only, key])), digest }
}

/** The job of the run that was begun with this key, if it is still there; or the error that it was begun otherwise. */
export async function jobOfKey(
  scope: Scope,
  { hash, digest }: RunKey,
): Promise<{ job: JobRecord } | { refused: Settled } | undefined> {
  const list = await loadEntry(scope, listOf(hash))
  const known = find(list, hash, scope.platform.now())
  const job = known && (await storedJob(scope, known[1]))
  if (!job) return undefined
  return known[2] === digest ? { job } : { refused: REUSED }
}

/** @returns whether the key is that of this job now. */
export function claimKey(
  scope: Scope,
  { hash, digest }: RunKey,
  { id, expiresAt }: { id: string; expiresAt: number },
  gone: string | undefined,
): Promise<boolean> {
  return changeEntry(scope, listOf(hash), (value) => {
    const now = scope.platform.now()
    const known = find(value, hash, now)
    if (known && known[1] !== gone) return undefined
    const others = keysIn(value).filter(([other, , , at]) => other !== hash && at > now)
    const left: Key[] = [...others.slice(-LIST_LIMIT + 1), [hash, id, digest, expiresAt]]
    return JSON.stringify(left)
  })
}

/** The job that the key names, if it is no longer there. */
export async function goneJob(scope: Scope, { hash }: RunKey): Promise<string | undefined> {
  const id = find(await loadEntry(scope, listOf(hash)), hash, scope.platform.now())?.[1]
  return id !== undefined && (await storedJob(scope, id)) ? undefined : id
}

const listOf = (hash: string) => `gateway:run-keys:${hash.slice(0, 2)}`
const keysIn = (value: unknown) => (Array.isArray(value) ? value : []) as Key[]

function find(value: unknown, hash: string, now: number): Key | undefined {
  return keysIn(value).find(([known, , , at]) => known === hash && at > now)
}

/** As of a job: see sdk/src/job/idempotency.ts. */
const REUSED: Settled = {
  kind: 'result',
  result: {
    content: [
      {
        type: 'text',
        text: 'idempotency_key_reuse: this key was already used with other arguments; use a new one.',
      },
    ],
    isError: true,
  },
}
