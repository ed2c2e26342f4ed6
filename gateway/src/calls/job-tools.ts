/**
 * `get_job` and `cancel_job`: for clients that do not follow tasks and got a handle when the wait limit was reached.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#stateful-tools
 */
import { isFinal, type ToolDescription } from 'ftl-contract'
import type { CatalogTool } from '../catalog/catalog.ts'
import { outcomeOfJob } from '../invoke/answer.ts'
import type { Settled } from '../invoke/outcome.ts'
import { NO_SUCH_JOB } from '../jobs/job-reader.ts'
import { storedJob } from '../jobs/kept-jobs.ts'
import { schemaValidator } from '../invoke/argument-validator.ts'
import { type ClientRequest, originOf } from './client-request.ts'
import type { ClientCall } from './call-tool.ts'
import { jobHandle } from '../jobs/job-handle.ts'
import { streamAddress } from './stream-address.ts'

const INPUT = {
  type: 'object',
  properties: { job_id: { type: 'string', description: 'The job_id of an earlier answer' } },
  required: ['job_id'],
}

const DESCRIPTIONS: ToolDescription[] = [
  {
    name: 'get_job',
    title: 'Get job',
    description:
      'Gives the result of a job that another tool has started, or reports its progress.',
    inputSchema: INPUT,
    annotations: { readOnlyHint: true },
  },
  {
    name: 'cancel_job',
    title: 'Cancel job',
    description: 'Ends a job that another tool has started.',
    inputSchema: INPUT,
    annotations: { destructiveHint: true, idempotentHint: true },
  },
]

/** Listed if any component starts jobs. Their names are reserved (`catalog/names.ts`). */
export const JOB_TOOLS: CatalogTool[] = DESCRIPTIONS.map(ownTool)

/** A tool of the gateway's own. */
export function ownTool(description: ToolDescription): CatalogTool {
  return { name: description.name, component: '', description, callAt: [], logging: false }
}

/**
 * Calls one of {@link JOB_TOOLS}.
 *
 * @returns `undefined` if no component starts jobs: then these tools do not exist.
 */
export async function callJobTool(
  { gateway, scope, request }: ClientRequest,
  { name, args, begins }: Pick<ClientCall, 'name' | 'args' | 'begins'>,
): Promise<Settled | undefined> {
  const { jobs } = await gateway.tools.known(scope)
  // What features start is asked only if nothing else starts jobs: they may read a variable.
  if (!jobs && !scope.hooks.startsJobs(scope)) {
    // Without the store nothing is known of any component: fail as the store does, instead of denying the tool.
    await storedJob(scope, String(args.job_id))
    return undefined
  }
  const errors = schemaValidator.validate(INPUT, args)
  if (errors.length > 0) return { kind: 'invalid-arguments', errors }
  const id = args.job_id as string
  const cancels = name === 'cancel_job'
  if (cancels) await begins?.(undefined, JSON.stringify(args))
  const job = await (cancels ? gateway.jobs.cancel(scope, id) : gateway.jobs.read(scope, id))
  if (!job) {
    return { kind: 'tool-failed', message: NO_SUCH_JOB, noJob: true }
  }
  if (isFinal(job) && !cancels) return outcomeOfJob(job)
  return {
    kind: 'result',
    result: jobHandle(job, originOf(request), streamAddress(scope, request, id)),
  }
}
