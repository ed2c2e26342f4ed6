/** A call that a program makes: the same as a call of its client, by the same path. */
import { isFinal, type JobRecord, type ToolResult } from 'ftl-contract'
import { approvalQuestion } from '../invoke/approval-question.ts'
import { callTool, type ClientCall } from '../calls/call-tool.ts'
import { followWithProgress } from '../calls/follow-job.ts'
import { jobHandle } from '../jobs/job-handle.ts'
import type { Catalog, CatalogTool } from '../catalog/catalog.ts'
import type { Gateway } from '../gateway.ts'
import { outcomeOfJob } from '../invoke/answer.ts'
import { drain } from '../invoke/call-component.ts'
import { withAbsoluteOutputs } from '../invoke/output-links.ts'
import type { Settled } from '../invoke/outcome.ts'
import { noTool, resultOf } from './call-answer.ts'
import { findTool, RUN_TOOL } from '../catalog/program-tool.ts'
import { callOnce, type Maker, NeedsApproval } from './journaled-call.ts'
import type { ProgramCall } from './read-call.ts'
import { RunError } from './run-error.ts'
import type { RunRequest } from './run-scope.ts'

/** @throws {RunError} {@link InsufficientScope} */
export async function callInRun(
  gateway: Gateway,
  { grant, request, ...given }: RunRequest,
  call: ProgramCall,
): Promise<ToolResult> {
  const { component, tool, seq } = call
  const scope = { ...given.scope, run: { id: grant.run, call: seq } }
  const run = { scope, grant, request }
  if (seq > grant.maxCalls) {
    const message = `The program may make ${grant.maxCalls} calls, and this would be call ${seq}.`
    throw new RunError(429, 'too_many_calls', message)
  }
  if (tool === RUN_TOOL && component === scope.settings.codeComponent) {
    throw new RunError(403, 'recursion', 'A program cannot run another program.')
  }
  if (grant.nested && scope.settings.savedPrograms.includes(component)) {
    const message = 'A saved program that a program has called cannot call another one.'
    throw new RunError(403, 'recursion', message)
  }
  if (grant.attempt === 0) return new Calling(gateway, run, call).make(false)
  const calling = new Calling(gateway, run, call)
  return callOnce(run, call, await calling.look())
}

/** One call, with what is known of its tool. */
class Calling {
  readonly #gateway: Gateway
  readonly #run: RunRequest
  readonly #call: ProgramCall
  #catalog: Catalog | undefined

  constructor(gateway: Gateway, run: RunRequest, call: ProgramCall) {
    this.#gateway = gateway
    this.#run = run
    this.#call = call
  }

  /** What the journal needs to know before it is made. */
  async look(): Promise<Maker> {
    const tool = await this.#find()
    const { scope } = this.#run
    // Decided here as it will be decided for the call. What is denied is not sent.
    const isThere = tool && this.#catalog?.tool(tool.name)
    const effect = tool && scope.permissions?.decisionOn('tool', tool.name)?.effect
    const { readOnlyHint, idempotentHint } = tool?.description.annotations ?? {}
    return {
      isRepeatable: !isThere || readOnlyHint === true || idempotentHint === true,
      needsApproval: effect === 'ask',
      make: (approved, noteJob) => this.make(approved, noteJob),
      resume: (job) => this.#resume(job),
    }
  }

  async make(approved: boolean, noteJob?: NoteJob): Promise<ToolResult> {
    const tool = await this.#find()
    if (!tool) throw noTool(this.#called)
    const { scope, grant, request } = this.#run
    const client = { gateway: this.#gateway, scope, request }
    const { args } = this.#call
    const call: ClientCall = {
      name: tool.name,
      args,
      meta: metaOf(grant.client.info),
      wantsProgress: false,
      approved,
      catalog: this.#catalog,
    }
    const outcome = await callTool(client, call)
    if (outcome.kind === 'stream') return this.#result(await drain(outcome.events))
    if (outcome.kind === 'needs-approval' && noteJob) {
      throw new NeedsApproval(approvalQuestion(tool, args))
    }
    if (outcome.kind !== 'job') return this.#result(outcome)
    await noteJob?.(outcome.job.id)
    return this.#result(await this.#endOf(outcome.job))
  }

  async #resume(id: string): Promise<ToolResult> {
    const job = await this.#gateway.jobs.read(this.#run.scope, id)
    if (!job) throw new RunError(502, 'tool_failed', 'The job has expired.')
    return this.#result(await this.#endOf(job))
  }

  /** @throws {RunError} */
  #result(settled: Settled): ToolResult {
    const { scope, grant } = this.#run
    return withAbsoluteOutputs(resultOf(settled, this.#called), grant.origin, scope.links)
  }

  get #called(): string {
    return `${this.#call.component}.${this.#call.tool}`
  }

  /** The catalog is read once for a call: a large one takes milliseconds. */
  async #find(): Promise<CatalogTool | undefined> {
    const { component, tool } = this.#call
    const { tools } = this.#gateway
    const { scope } = this.#run
    this.#catalog ??= await tools.known(scope)
    const known = findTool(this.#catalog, component, tool)
    if (known) return known
    // It may have been added since the list was stored.
    this.#catalog = await tools.list(scope)
    return findTool(this.#catalog, component, tool)
  }

  /** The result of the job if it ends in time, else its handle, by which the client can ask for it. */
  async #endOf(job: JobRecord): Promise<Settled> {
    const { scope, grant } = this.#run
    // Some time is left for the program to do something with the handle.
    const leftMs = ((scope.until ?? 0) - scope.platform.now()) * SHARE_OF_JOB
    const records = followWithProgress(this.#gateway.jobs, scope, job, leftMs)
    for (;;) {
      const { done, value } = await records.next()
      if (!done) continue
      if (isFinal(value)) return outcomeOfJob(value)
      return { kind: 'result', result: jobHandle(value, grant.origin) }
    }
  }
}

type NoteJob = (id: string) => Promise<void>

const SHARE_OF_JOB = 0.9

/** For the audit log. */
function metaOf(info: unknown): Record<string, unknown> {
  return info === undefined ? {} : { 'io.modelcontextprotocol/clientInfo': info }
}
