/** A call of a run with a journal: made at most once, and answered from the journal when the program is started again. */
import { pause, type ToolResult } from 'ftl-contract'
import { callTimeoutOf } from '../call-settings.ts'
import { digestOfCall, type JournalEntry, loadCall, saveCall } from './journal.ts'
import { loadRun } from './kept-run.ts'
import type { ProgramCall } from './read-call.ts'
import { RunError } from './run-error.ts'
import type { RunRequest } from './run-scope.ts'

/** How a call is made. */
export interface Maker {
  /** Whether it may be made again without harm, as its tool says. */
  isRepeatable: boolean
  /** Whether the policy says `ask`: then it is only checked, unless it is approved. */
  needsApproval: boolean
  /** @param noteJob called with the id of a job that the call has started. @throws {RunError} {@link NeedsApproval} */
  make(approved: boolean, noteJob: (id: string) => Promise<void>): Promise<ToolResult>
  /** The result of a job that an earlier attempt has started. @throws {RunError} */
  resume(job: string): Promise<ToolResult>
}

/** The call needs the approval of a person. */
export class NeedsApproval extends Error {
  override readonly name = 'NeedsApproval'
  readonly ask: Extract<JournalEntry, { state: 'asks' }>['ask']
  constructor(ask: NeedsApproval['ask']) {
    super('The call needs an approval.')
    this.ask = ask
  }
}

/** @throws {RunError} */
export async function callOnce(
  { scope, grant }: RunRequest,
  call: ProgramCall,
  maker: Maker,
): Promise<ToolResult> {
  const { run } = grant
  const { seq } = call
  const called = `${call.component}.${call.tool}`
  const kept = await loadRun(scope, run)
  if (kept?.state !== 'working' || kept.nonce !== grant.nonce) {
    const message = 'The run has ended, or was started again elsewhere.'
    throw new RunError(410, 'run_ended', message)
  }
  const working = kept
  const digest = await digestOfCall(call)
  const found = await known()
  if (found && found.digest !== digest) throw changed(seq, found.called, called)
  switch (found?.state) {
    case 'done':
      return found.result
    case 'failed':
      throw new RunError(found.status, found.code, found.message)
    case 'asks':
      throw asks(called)
    case 'sent':
      return keep(() => Promise.reject(inDoubt(seq, called)))
    case 'job':
      return keep(() => maker.resume(found.job))
  }
  const approved = found?.state === 'approved'
  // An approval is for one call. What only needs one is not sent.
  const mark = approved || (!maker.isRepeatable && !maker.needsApproval)
  if (mark) await save({ state: 'sent', until: scope.platform.now() + callTimeoutOf(scope) })
  const noteJob = async (job: string) => void (await save({ state: 'job', job }))
  return keep(() => maker.make(approved, noteJob), mark)

  /** The entry; of a call that was sent, when its answer has come or can come no more. */
  async function known(): Promise<JournalEntry | undefined> {
    const entry = await loadCall(scope, run, seq)
    if (entry?.state !== 'sent') return entry
    const leftMs = Math.min(entry.until, grant.deadline) - scope.platform.now()
    for (let waited = 0; waited < leftMs; waited += LOOK_MS) {
      await pause(LOOK_MS)
      const later = await loadCall(scope, run, seq)
      if (later?.state !== 'sent') return later
    }
    return entry
  }

  /** Journals how it ends, before the program learns it. */
  async function keep(end: () => Promise<ToolResult>, isMarked = true): Promise<ToolResult> {
    try {
      const result = await end()
      const isKept = await save({ state: 'done', result })
      if (!isKept && isMarked) await save({ state: 'failed', ...tooLarge(seq, called) })
      return result
    } catch (error) {
      if (error instanceof NeedsApproval) {
        await save({ state: 'asks', ask: error.ask })
        throw asks(called)
      }
      if (error instanceof RunError) {
        const { status, code, message } = error
        await save({ state: 'failed', status, code, message })
      }
      throw error
    }
  }

  function save(entry: DistributiveOmit<JournalEntry, 'digest' | 'called'>): Promise<boolean> {
    return saveCall(scope, working, seq, { digest, called, ...entry })
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** Milliseconds between two looks for the answer of a call that another attempt has sent. */
const LOOK_MS = 250

function asks(called: string): RunError {
  return new RunError(409, 'input_required', `The call of ${called} needs an approval.`)
}

function changed(seq: number, before: string, now: string): RunError {
  const what = before === now ? `${now} with other arguments` : `${before}, and now is ${now}`
  const message = `The program is not deterministic: its call ${seq} was ${what}.`
  return new RunError(409, 'not_deterministic', message)
}

function inDoubt(seq: number, called: string): RunError {
  const message = `The call ${seq} of ${called} was sent, and then the run was interrupted. Whether it ran is not known, so it is not repeated.`
  return new RunError(409, 'in_doubt', message)
}

/** Instead of the result in a later attempt. */
function tooLarge(seq: number, called: string): Pick<RunError, 'status' | 'code' | 'message'> {
  const message = `The call ${seq} of ${called} ran, and then the run was interrupted. Its result was too large to be kept.`
  return { status: 409, code: 'in_doubt', message }
}
