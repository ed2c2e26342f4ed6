/**
 * The owner's side of a job: its record, its end, its files.
 *
 * @module
 */
import { isJobId, OUTPUTS_PATH, parseOutputName } from '../contract/job.ts'
import type { ToolContext } from '../tool/context.ts'
import type { ToolSet } from '../tool/create-tools.ts'
import { failure, json, methodNotAllowed } from './http.ts'

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
