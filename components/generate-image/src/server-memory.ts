/**
 * What was learnt about a server, kept in the key-value store: how long its last jobs took, and which workflows
 * it can run. Both may be lost or overwritten by a simultaneous call without harm.
 */
import { sha256 } from 'ftl-http'
import { getJson, setJson } from 'ftl-platform'
import type { ToolContext } from 'ftl-sdk'

/** Enough to even out a slow first job; one entry stays small. */
const KEPT_DURATIONS = 16
/** Guess for a server that has not finished a job yet. */
const UNKNOWN_DURATION_MS = 30_000
/** Milliseconds a verdict counts. A model that was just installed is seen after a minute. */
const FITS_MS = 10 * 60_000
const UNFIT_MS = 60_000

export interface Verdict {
  fits: boolean
  /** What is missing or does not fit, for the message. */
  reason?: string
  /** `mismatch`: the server has everything, and its nodes seem to take other links or values. */
  kind?: 'missing_node' | 'missing_model' | 'mismatch'
}

type Known = Pick<ToolContext, 'platform'>

/**
 * Remembers how long a job ran, for estimates.
 *
 * @param server base URL.
 * @param ms from the begin of its execution, not from its submit: waiting is what is estimated.
 */
export async function recordDuration(
  server: string,
  ms: number,
  { platform }: Known,
): Promise<void> {
  if (!(ms >= 0)) return
  const store = await platform.openKeyValue('default')
  const key = `comfy:times:${await digest(server)}`
  const kept = await getJson<number[]>(store, key)
  const times = Array.isArray(kept) ? kept : []
  await setJson(store, key, [...times, Math.round(ms)].slice(-KEPT_DURATIONS))
}

/** The median of the last jobs: one that loaded a model first does not count for more than the others. */
export async function typicalDuration(server: string, { platform }: Known): Promise<number> {
  const store = await platform.openKeyValue('default')
  const kept = await getJson<number[]>(store, `comfy:times:${await digest(server)}`)
  const times = Array.isArray(kept) ? [...kept].sort((a, b) => a - b) : []
  return times[times.length >> 1] ?? UNKNOWN_DURATION_MS
}

/** Key of a verdict: a server and what a workflow needs of it. */
export async function verdictKey(server: string, needs: readonly string[]): Promise<string> {
  return `comfy:info:${await digest([server, ...needs].join('\n'))}`
}

export async function readVerdict(key: string, { platform }: Known): Promise<Verdict | undefined> {
  const kept = await getJson<Verdict & { at: number }>(await platform.openKeyValue('default'), key)
  if (!kept) return undefined
  const age = platform.now() - kept.at
  return age < (kept.fits ? FITS_MS : UNFIT_MS) ? kept : undefined
}

export async function writeVerdict(
  key: string,
  verdict: Verdict,
  { platform }: Known,
): Promise<void> {
  const store = await platform.openKeyValue('default')
  await setJson(store, key, { ...verdict, at: platform.now() })
}

/** Addresses are longer than a key may be, and may hold what a key must not. */
export async function digest(text: string): Promise<string> {
  return (await sha256(text)).slice(0, 32)
}
