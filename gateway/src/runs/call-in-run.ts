/** A call that a program makes: the same as a call of its client, by the same path. */
import { isFinal, type JobRecord, type ToolResult } from 'ftl-contract'
import { callTool, type ClientCall } from '../calls/call-tool.ts'
import { followWithProgress } from '../calls/follow-job.ts'
import { jobHandle } from '../calls/job-handle.ts'
import type { Gateway } from '../gateway.ts'
import { outcomeOfJob } from '../invoke/answer.ts'
import { drain } from '../invoke/call-component.ts'
import { withAbsoluteOutputs } from '../invoke/output-links.ts'
import type { Settled } from '../invoke/outcome.ts'
import { noTool, resultOf } from './call-answer.ts'
import { findTool, RUN_TOOL } from './find-tool.ts'
import type { ProgramCall } from './read-call.ts'
import { RunError } from './run-error.ts'
import type { RunRequest } from './run-scope.ts'

/** @throws {RunError} */
export async function callInRun(
  gateway: Gateway,
  run: RunRequest,
  call: ProgramCall,
): Promise<ToolResult> {
  const { grant } = run
  const scope = { ...run.scope, run: { id: grant.run, call: call.seq } }
  const { component, tool, seq } = call
  if (seq > grant.maxCalls) {
    const message = `The program may make ${grant.maxCalls} calls, and this would be call ${seq}.`
    throw new RunError(429, 'too_many_calls', message)
  }
  const called = `${component}.${tool}`
  if (tool === RUN_TOOL && component === scope.settings.codeComponent) {
    throw new RunError(403, 'recursion', 'A program cannot run another program.')
  }
  const name = await nameOf(gateway, { ...run, scope }, call)
  if (name === undefined) throw noTool(called)
  const settled = await settle(gateway, { ...run, scope }, { ...call, name })
  return withAbsoluteOutputs(resultOf(settled, called), grant.origin, scope.links)
}

/** The name by which clients call the tool. */
async function nameOf(
  { tools }: Gateway,
  { scope }: RunRequest,
  { component, tool }: ProgramCall,
): Promise<string | undefined> {
  const known = findTool(await tools.known(scope), component, tool)
  // It may have been added since the list was stored.
  return (known ?? findTool(await tools.list(scope), component, tool))?.name
}

async function settle(
  gateway: Gateway,
  { scope, grant, request }: RunRequest,
  { name, args }: ProgramCall & { name: string },
): Promise<Settled> {
  const client = { gateway, scope, request }
  const call: ClientCall = { name, args, meta: metaOf(grant.client.info), wantsProgress: false }
  const outcome = await callTool(client, call)
  if (outcome.kind === 'stream') return drain(outcome.events)
  return outcome.kind === 'job' ? endOfJob(gateway, scope, outcome.job, grant.origin) : outcome
}

/** For the audit log. */
function metaOf(info: unknown): Record<string, unknown> {
  return info === undefined ? {} : { 'io.modelcontextprotocol/clientInfo': info }
}

/** The result of the job if it ends in time, else its handle, with which a later program can ask for it. */
async function endOfJob(
  { jobs }: Gateway,
  scope: RunRequest['scope'],
  job: JobRecord,
  origin: string,
): Promise<Settled> {
  // Some time is left for the program to do something with the handle.
  const leftMs = ((scope.until ?? 0) - scope.platform.now()) * SHARE_OF_JOB
  const records = followWithProgress(jobs, scope, job, leftMs)
  for (;;) {
    const { done, value } = await records.next()
    if (!done) continue
    return isFinal(value)
      ? outcomeOfJob(value)
      : { kind: 'result', result: jobHandle(value, origin) }
  }
}

const SHARE_OF_JOB = 0.9
