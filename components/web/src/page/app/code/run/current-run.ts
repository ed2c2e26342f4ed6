/**
 * The run that the view shows. It is a task: the page follows it like every job, so it is found again after a reload, and
 * goes on when the page is closed.
 */
import { askPerson } from '../../approval/approvals.ts'
import { cancel, pollJob } from '../../jobs/follow.ts'
import { addJob, isOver, jobs, type KnownJob } from '../../jobs/known-jobs.ts'
import { ApiError, asRecord, text } from '../../net/api.ts'
import { wordsOf } from '../../net/tools.ts'
import { load, save } from '../../local-storage.ts'
import { createStore } from '../../store.ts'
import { declared } from '../declared/program-tools.ts'
import { callMcp } from './mcp.ts'
import { APPROVAL, questionOf } from './question.ts'
import { readReport, type Report } from './report.ts'

export interface Run {
  state: 'starting' | 'running' | 'asking' | 'stopping' | 'ended'
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt?: number
  /** Of its task: a run that ends within a second has none. */
  jobId?: string
  message?: string
  progress?: number
  total?: number
  report?: Report
  /** It did not run, or its result is lost. */
  problem?: string
}

export const currentRun = createStore<Run | undefined>(undefined)

const KEY = 'code.run'
/** Characters of the program that the list of jobs shows. */
const LABEL = 200

/** What of the run before ends with it. */
let controller = new AbortController()

export function isRunning(run: Run | undefined): boolean {
  return run !== undefined && run.state !== 'ended'
}

export async function startRun(code: string): Promise<void> {
  const { runner, hasTrace } = declared.get()
  if (runner === undefined || isRunning(currentRun.get())) return
  controller.abort()
  controller = new AbortController()
  const { signal } = controller
  const startedAt = Date.now()
  currentRun.set(() => ({ state: 'starting', startedAt }))
  save(KEY, undefined)
  try {
    const args = { code, ...(hasTrace && { trace: true }) }
    const answer = await begin(runner, args, signal)
    const id = text(answer['taskId'])
    if (id === undefined) return end({ report: readReport(answer) })
    save(KEY, { id, startedAt })
    const isStopped = currentRun.get()?.state === 'stopping'
    change({ jobId: id, ...(!isStopped && { state: 'running' }) })
    addJob({ id, tool: runner, arguments: { code: code.slice(0, LABEL) } })
    watch(id, signal)
    if (isStopped) await stopJob(id)
  } catch (error) {
    if (!signal.aborted) end({ problem: wordsOf(error) })
  }
}

/** The program itself may need an approval, before it runs. */
async function begin(
  runner: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const params = { name: runner, arguments: args }
  const answer = await callMcp('tools/call', runner, params, signal)
  if (answer['resultType'] !== 'input_required') return answer
  const question = questionOf(answer['inputRequests'])
  if (!question)
    throw new ApiError(403, 'declined', 'The gateway asks for what this page cannot give.')
  change({ state: 'asking' })
  const isApproved = await askPerson({ ...question, asker: 'you, on this page' }, signal)
  if (!isApproved) throw new ApiError(403, 'declined', 'You declined this call. Nothing was run.')
  change({ state: 'starting' })
  const { requestState } = answer
  return callMcp(
    'tools/call',
    runner,
    { ...params, inputResponses: answerOf(true), requestState },
    signal,
  )
}

/** Finds the run of before a reload. */
export function resumeRun(): void {
  if (currentRun.get()) return
  const { id, startedAt } = asRecord(load(KEY))
  if (typeof id !== 'string' || typeof startedAt !== 'number' || !jobs.get().has(id)) return
  currentRun.set(() => ({ state: 'running', startedAt, jobId: id }))
  watch(id, controller.signal)
}

export async function stopRun(): Promise<void> {
  const run = currentRun.get()
  if (!run || !isRunning(run)) return
  // A run without a task cannot be cancelled: it gets one within a second, or has ended.
  change({ state: 'stopping' })
  if (run.jobId !== undefined) await stopJob(run.jobId)
}

async function stopJob(id: string): Promise<void> {
  try {
    await cancel(id)
  } catch (error) {
    change({ state: 'running', message: wordsOf(error) })
  }
}

/** Follows the job of the run in the list of jobs. */
function watch(id: string, signal: AbortSignal): void {
  let asked: AbortController | undefined
  const stop = jobs.subscribe(look)
  signal.addEventListener('abort', () => {
    stop()
    asked?.abort()
  })
  look()

  function look(): void {
    const job = jobs.get().get(id)
    if (signal.aborted || !isRunning(currentRun.get())) return
    if (!job) return finish({ problem: 'The run was taken from the list of jobs.' })
    if (isOver(job)) return finishWith(job)
    const isAsking = job.state === 'input_required'
    const isStopping = currentRun.get()?.state === 'stopping'
    const { message, progress, total } = job
    change({
      ...(!isStopping && { state: isAsking ? 'asking' : 'running' }),
      ...(message !== undefined && { message }),
      ...(progress !== undefined && { progress }),
      ...(total !== undefined && { total }),
    })
    if (isAsking && !asked) {
      const mine = new AbortController()
      asked = mine
      void ask(id, mine.signal).finally(() => {
        if (asked === mine) asked = undefined
      })
    }
    // Another tab has answered.
    if (!isAsking) asked?.abort()
  }

  function finishWith(job: KnownJob): void {
    if (job.state === 'completed' && job.result === undefined) {
      // It was too long to be kept in the browser.
      void pollJob(id).catch((error: unknown) => finish({ problem: wordsOf(error) }))
      return
    }
    if (job.state === 'completed') return finish({ report: readReport(job.result) })
    const words = job.state === 'cancelled' ? 'You stopped the run.' : job.error
    finish({ problem: words ?? 'The run has failed, and the gateway has no result of it.' })
  }

  function finish(how: Pick<Run, 'report' | 'problem'>): void {
    stop()
    asked?.abort()
    end(how)
  }
}

/** Asks the person about a call of the program, and answers the task. */
async function ask(id: string, signal: AbortSignal): Promise<void> {
  try {
    const task = await callMcp('tasks/get', id, { taskId: id })
    const question = questionOf(task['inputRequests'])
    if (!question) return
    const isApproved = await askPerson({ ...question, asker: 'your program, on this page' }, signal)
    if (signal.aborted) return
    await callMcp('tasks/update', id, { taskId: id, inputResponses: answerOf(isApproved) })
    // The next question may be there already. It is asked when the list of jobs has the answer.
    void pollJob(id).catch(() => undefined)
  } catch (error) {
    change({ message: wordsOf(error) })
  }
}

function answerOf(isApproved: boolean): Record<string, unknown> {
  return { [APPROVAL]: isApproved ? { action: 'accept', content: {} } : { action: 'decline' } }
}

function change(change: Partial<Run>): void {
  currentRun.set((run) => run && { ...run, ...change })
}

function end(how: Pick<Run, 'report' | 'problem'>): void {
  change({ state: 'ended', endedAt: Date.now(), ...how })
}
