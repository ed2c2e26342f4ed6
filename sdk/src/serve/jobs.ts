/** The owner's side of a job: its record, its end, its files. */
import {
  isFinal,
  isJobId,
  type JobRecord,
  OUTPUTS_PATH,
  parseOutputName,
  type ToolResult,
} from 'ftl-contract'
import type { ToolContext } from '../tool/context.ts'
import type { ToolSet } from '../tool/create-tools.ts'
import { ToolResponse } from '../tool/answer-builders.ts'
import { failure, json, methodNotAllowed } from './contract-responses.ts'

/** Left for the way back when the SDK waits for a job on the caller's time. */
const ANSWER_MARGIN_MS = 500

const noSuchJob = () => failure(404, 'job_not_found', 'There is no such job, or it has expired.')

export async function answerJob(
  { jobs }: ToolSet,
  method: string,
  path: string,
  context: ToolContext,
): Promise<Response> {
  const id = path.slice('/jobs/'.length)
  if (!jobs || !isJobId(id)) return noSuchJob()
  if (method !== 'GET' && method !== 'DELETE') return methodNotAllowed('GET, DELETE')
  const job = method === 'GET' ? await jobs.get(id, context) : await jobs.cancel(id, context)
  return job ? json(200, job) : noSuchJob()
}

export async function answerOutput(
  { output }: ToolSet,
  request: Request,
  path: string,
  context: ToolContext,
): Promise<Response> {
  const file = path.slice(OUTPUTS_PATH.length)
  if (!output || !parseOutputName(file)) {
    return failure(404, 'output_not_found', 'There is no such file.')
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed('GET, HEAD')
  return output(file, context, request)
}

/** The end of a job, for a caller that takes none; `since` is when it began to wait. */
export async function waitForJob(
  set: ToolSet,
  started: JobRecord,
  context: ToolContext,
  since: number,
): Promise<ToolResult> {
  let job = started
  const until = since + context.deadline - ANSWER_MARGIN_MS
  while (!isFinal(job) && set.jobs && context.platform.now() + job.pollIntervalMs < until) {
    await new Promise((resolve) => setTimeout(resolve, job.pollIntervalMs))
    const latest = await set.jobs.get(job.id, context)
    if (!latest) return ToolResponse.error('The job has expired.')
    job = latest
  }
  if (job.status === 'completed') return job.result ?? { content: [] }
  if (job.status === 'working') {
    return ToolResponse.error(`Still working. Ask for job ${job.id} later.`)
  }
  return ToolResponse.error(job.error?.message ?? job.message ?? `The job was ${job.status}.`)
}
