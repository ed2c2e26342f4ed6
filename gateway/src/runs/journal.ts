/**
 * The journal of a run: what became of each call, by its number, so that a program that is started again finds the results
 * of the calls it has made.
 */
import { canonicalJson, type InputRequest, isObject, type ToolResult } from 'ftl-contract'
import { sha256 } from 'ftl-http'
import { loadEntry, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import { StoreFull } from '../store-failure.ts'
import { bytesInBlocks } from '../store-shares.ts'
import { callKey, type KeptRun, VALUE_LIMIT } from './kept-run.ts'
import { takeRunRoom } from './run-expiry.ts'
import type { ProgramCall } from './read-call.ts'

export type JournalEntry = { digest: string; called: string } & (
  | { state: 'done'; result: ToolResult }
  | { state: 'failed'; status: number; code: string; message: string }
  /** It was sent. Before `until` its answer may still come. */
  | { state: 'sent'; until: number }
  /** It has started this job. */
  | { state: 'job'; job: string }
  /** A person is asked. */
  | { state: 'asks'; ask: InputRequest }
  | { state: 'approved' }
)

/** SHA-256 of what a call is: its component, its tool and its arguments. */
export function digestOfCall({ component, tool, args }: ProgramCall): Promise<string> {
  return sha256(canonicalJson([component, tool, args]))
}

export async function loadCall(
  scope: Scope,
  run: string,
  seq: number,
): Promise<JournalEntry | undefined> {
  const entry = await loadEntry(scope, callKey(run, seq))
  return isObject(entry) ? (entry as unknown as JournalEntry) : undefined
}

/** Characters of an entry up to which a run needs no further room, but for one entry in {@link SOME}. */
const SHORT = 4096
const SOME = 64

/** @returns whether it could be kept: a value that is too large, or for which there is no room, is not. */
export async function saveCall(
  scope: Scope,
  run: KeptRun,
  seq: number,
  entry: JournalEntry,
): Promise<boolean> {
  const text = JSON.stringify(entry)
  if (text.length > VALUE_LIMIT) return false
  try {
    if (text.length > SHORT) await takeRunRoom(scope, run, bytesInBlocks(text))
    else if (entry.state === 'done' && seq % SOME === 0) await takeRunRoom(scope, run, SOME * SHORT)
  } catch (error) {
    if (error instanceof StoreFull) return false
    throw error
  }
  await saveEntry(scope, callKey(run.id, seq), text)
  return true
}
