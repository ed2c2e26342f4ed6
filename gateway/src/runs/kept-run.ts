/**
 * What the gateway keeps of a run that can be continued: its state, and the call that began it.
 *
 * A key-value store has no operation that compares and sets. So each attempt has a nonce, and only the attempt whose nonce
 * is stored may call: of two that begin at once, the later one goes on.
 */
import { type InputRequest, isJobId, isObject, isString } from 'ftl-contract'
import type { CallContext } from '../invoke/call-context.ts'
import { loadEntry, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import type { Grant } from './capability.ts'

export interface KeptRun {
  id: string
  /** Principal of the caller. @default no authentication */
  owner?: string | undefined
  /** A run that has ended is deleted. */
  state: 'working' | 'paused'
  /** From 1. */
  attempt: number
  nonce: string
  /** When its attempt last reported, in milliseconds since the epoch. */
  beatAt: number
  /** Attempts that a reader has begun, because the one before was lost. */
  restarts: number
  /** Milliseconds since the epoch. */
  startedAt: number
  expiresAt: number
  /** SHA-256 of the tool and its arguments. */
  digest: string
  /** While it is paused. */
  question?: RunQuestion | undefined
  /** The job by which clients follow it. @default none, its client waits */
  job?: string | undefined
}

/** A call of a paused run that a person must approve. */
export interface RunQuestion {
  id: string
  seq: number
  /** For the person. */
  ask: InputRequest
}

/** What begins an attempt, besides the caller. */
export interface RunCall extends Pick<Grant, 'maxCalls' | 'origin' | 'client' | 'only'> {
  component: string
  paths: string[]
  args: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>> | undefined
  context: Pick<CallContext, 'protocol' | 'trace'>
  /** Milliseconds of one attempt. */
  timeoutMs: number
  /** Whether its client answers by the job; otherwise a job ends with a token. */
  asksByJob: boolean
}

export const runKey = (id: string) => `gateway:run:${id}`

/** Of the call with this number in its journal, from 1. */
export const callKey = (id: string, seq: number) => `${runKey(id)}:${seq}`

/** Of its {@link RunCall}. */
const requestKey = (id: string) => `${runKey(id)}:call`

export async function loadRun(scope: Scope, id: string): Promise<KeptRun | undefined> {
  if (!isJobId(id)) return undefined
  const run = await loadEntry(scope, runKey(id))
  if (!isObject(run) || run.id !== id) return undefined
  const kept = run as unknown as KeptRun
  return kept.owner === scope.principal ? kept : undefined
}

export function saveRun(scope: Scope, run: KeptRun): Promise<void> {
  return saveEntry(scope, runKey(run.id), JSON.stringify(run))
}

export async function loadRunCall(scope: Scope, id: string): Promise<RunCall | undefined> {
  const call = await loadEntry(scope, requestKey(id))
  return isObject(call) ? (call as unknown as RunCall) : undefined
}

/**
 * Whether a request may begin the next attempt: one for the address of one component, such as with a token for it, must not
 * reach other components by a run that was begun for all.
 */
export async function mayContinue(scope: Scope, id: string): Promise<boolean> {
  return (await loadRunCall(scope, id))?.only === scope.only
}

/** @throws {RunTooLarge} */
export async function saveRunCall(scope: Scope, id: string, call: RunCall): Promise<void> {
  const text = JSON.stringify(call)
  if (text.length > VALUE_LIMIT) throw new RunTooLarge()
  await saveEntry(scope, requestKey(id), text)
}

/** Characters of a stored value: with three bytes each it would still be under 1 MB, which is safe on every platform. */
export const VALUE_LIMIT = 330_000

export class RunTooLarge extends Error {
  override readonly name = 'RunTooLarge'
  constructor() {
    super(`The arguments of the program are over ${VALUE_LIMIT} characters, which cannot be kept.`)
  }
}

/** Id of a new job of the run. That of the first attempt has the id of the run; another leads to it by an entry of its own. */
export async function nextJobId(scope: Scope, run: KeptRun): Promise<string> {
  if (run.attempt === 1) return run.id
  const id = scope.platform.randomUUID()
  await saveEntry(scope, runKey(id), JSON.stringify({ run: run.id }))
  return id
}

/** The run whose job it is now. */
export async function runOfJob(scope: Scope, job: string): Promise<KeptRun | undefined> {
  const entry = await loadEntry(scope, runKey(job))
  const id = isObject(entry) && isString(entry.run) ? entry.run : job
  const run = await loadRun(scope, id)
  return run?.job === job ? run : undefined
}
