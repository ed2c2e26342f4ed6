/**
 * The journal of a run: what became of each call, by its number, so that a program that is started again finds the results
 * of the calls it has made.
 */
import { canonicalJson, type InputRequest, type ToolResult } from 'ftl-contract'
import { isObject, sha256 } from 'ftl-http'
import { loadEntry, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import { runKey, VALUE_LIMIT } from './kept-run.ts'
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

/** @returns whether it could be kept: a value that is too large is not. */
export async function saveCall(
  scope: Scope,
  run: string,
  seq: number,
  entry: JournalEntry,
): Promise<boolean> {
  const text = JSON.stringify(entry)
  if (text.length > VALUE_LIMIT) return false
  await saveEntry(scope, callKey(run, seq), text)
  return true
}

export function callKey(run: string, seq: number): string {
  return `${runKey(run)}:${seq}`
}
