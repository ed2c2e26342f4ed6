/**
 * `get_job` and `cancel_job`: for clients that know no tasks and were given a handle when the wait became too long.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#stateful-tools
 */
import { isFinal, type ToolDescription } from 'ftl-sdk/contract'
import type { CatalogTool } from '../../../catalog/catalog.ts'
import { outcomeOfJob } from '../../../invoke/answer.ts'
import type { Settled } from '../../../invoke/outcome.ts'
import { isString } from '../../../values.ts'
import { type Exchange, originOf } from '../exchange.ts'
import { jobHandle } from './job-handle.ts'
import type { NamedCall } from './params.ts'

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

/** Listed where some component starts jobs. Their names are reserved (`catalog/names.ts`). */
export const JOB_TOOLS: CatalogTool[] = DESCRIPTIONS.map((description) => ({
  name: description.name,
  component: '',
  description,
  callAt: [],
  logging: false,
}))

/** @returns `undefined` when the tool is another: at once, where its name says so. */
export function callJobTool(
  exchange: Exchange,
  call: NamedCall,
): Promise<Settled | undefined> | undefined {
  return JOB_TOOLS.some(({ name }) => name === call.name) ? askJob(exchange, call) : undefined
}

async function askJob(
  { gateway, scope, request }: Exchange,
  { name, args }: NamedCall,
): Promise<Settled | undefined> {
  if (!(await gateway.tools.known(scope)).jobs) return undefined
  const { job_id: id } = args
  if (!isString(id)) {
    return { kind: 'invalid-arguments', errors: [{ path: 'job_id', message: 'must be string' }] }
  }
  const cancels = name === 'cancel_job'
  const job = await (cancels ? gateway.jobs.cancel(scope, id) : gateway.jobs.read(scope, id))
  if (!job) {
    return { kind: 'tool-failed', message: 'There is no such job, or it has expired.' }
  }
  if (isFinal(job) && !cancels) return outcomeOfJob(job)
  return { kind: 'result', result: jobHandle(job, originOf(request)) }
}
