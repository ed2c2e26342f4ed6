/** One tool call: read the arguments, run the tool, word the answer. */
import type { JobRecord } from 'ftl-contract'
import { IdempotencyKeyReuse } from '../job/idempotency.ts'
import { answerOrProgress, ProgressStream } from '../progress/progress-stream.ts'
import { ProgressQueue } from '../progress/progress-queue.ts'
import type { ToolContext } from '../tool/context.ts'
import type { Tool } from '../tool/create-tool.ts'
import type { ToolSet } from '../tool/create-tools.ts'
import { errorResult, InvalidArguments } from '../tool/errors.ts'
import { isJobStarted, type JobStarted } from '../tool/answer-builders.ts'
import { ToolStream } from '../tool/stream.ts'
import { openCall, readText } from './body.ts'
import type { OwnedContext } from './context.ts'
import { answerOf, messageFor } from './error-message.ts'
import { failure, json } from './contract-responses.ts'
import { waitForJob } from './jobs.ts'
import { acceptsLines, lineResponse } from './lines.ts'

export async function answerCall(
  set: ToolSet,
  tool: Tool,
  request: Request,
  owned: OwnedContext,
): Promise<Response> {
  const { context } = owned
  const { headers } = request
  owned.started = context.platform.now()
  let args: unknown
  try {
    const text = readText(request)
    args = openCall(headers, typeof text === 'string' ? text : await text, context)
  } catch {
    owned.dispose()
    return json(400, errorResult('The body is not valid JSON.'))
  }
  const finish = (job: JobRecord) => waitForJob(set, job, context, owned.started)
  try {
    // A job reports by its record.
    const queue =
      !tool.job && acceptsLines(headers) ? (owned.queue = new ProgressQueue()) : undefined
    const work = tool.call(args, context)
    const given = queue ? await answerOrProgress(work, queue) : await work
    const answer = owned.questions?.pending ?? given
    if (answer instanceof ProgressStream) {
      answer.toEnd = (end) => (isJobStarted(end as object) ? finish((end as JobStarted).job) : end)
      const name = tool.description.name
      return lineResponse(answer, { tool: name, context, ended: owned.keep() })
    }
    if (answer instanceof ToolStream) {
      const end = await answer.drain()
      return json(200, owned.questions?.pending ?? end)
    }
    if (!isJobStarted(answer)) return json(200, answer)
    if (context.respondAsync) {
      return json(202, answer, { location: `/jobs/${answer.job.id}` })
    }
    return json(200, await finish(answer.job))
  } catch (error) {
    return failed(error, tool.description.name, context)
  } finally {
    owned.dispose()
  }
}

function failed(error: unknown, tool: string, context: ToolContext): Response {
  const answer = answerOf(error)
  if (!answer) return failure(500, 'tool_failed', messageFor(error, tool, context).message)
  if (error instanceof InvalidArguments) return json(400, answer)
  return json(error instanceof IdempotencyKeyReuse ? 422 : 200, answer)
}
