/**
 * One tool call: read the arguments, run the tool, word the answer.
 *
 * @module
 */
import { CALL_ENVELOPE_TYPE, type CallEnvelope } from '../contract/input-required.ts'
import { isFinal, type JobRecord } from '../contract/job.ts'
import type { ToolResult } from '../contract/tool.ts'
import type { ToolContext } from '../tool/context.ts'
import { IdempotencyKeyReuse } from '../job/idempotency.ts'
import type { Tool } from '../tool/create-tool.ts'
import type { ToolSet } from '../tool/create-tools.ts'
import { InvalidArguments, ToolError } from '../tool/errors.ts'
import { logError } from '../tool/log.ts'
import { isJobStarted, ToolResponse } from '../tool/response.ts'
import { ToolStream } from '../tool/stream.ts'
import type { OwnedContext } from './context.ts'
import { failure, json } from './http.ts'
import { acceptsLines, lineResponse } from './lines.ts'

/** Left for the way back when the SDK waits for a job on the caller's time. */
const ANSWER_MARGIN_MS = 500

export async function answerCall(
  set: ToolSet,
  tool: Tool,
  request: Request,
  owned: OwnedContext,
): Promise<Response> {
  const { context } = owned
  const started = context.platform.now()
  let args: unknown
  try {
    args = openCall(request.headers, await readText(request), context)
  } catch {
    owned.dispose()
    return json(400, ToolResponse.error('The body is not valid JSON.'))
  }
  try {
    const answer = await tool.call(args, context)
    if (answer instanceof ToolStream) {
      if (!acceptsLines(request.headers)) return json(200, await answer.drain())
      return lineResponse(answer.generator, {
        tool: tool.description.name,
        request: request.headers,
        ended: owned.keep(),
      })
    }
    if (!isJobStarted(answer)) return json(200, answer)
    if (context.respondAsync) {
      return json(202, answer, { location: `/jobs/${answer.job.id}` })
    }
    return json(200, await waitForJob(set, answer.job, context, started))
  } catch (error) {
    if (error instanceof InvalidArguments) {
      return json(400, ToolResponse.error(`Invalid arguments:\n${error.message}`))
    }
    if (error instanceof ToolError) {
      const { message, data } = error
      const result = { ...ToolResponse.error(message), ...(data && { _meta: data }) }
      return json(error instanceof IdempotencyKeyReuse ? 422 : 200, result)
    }
    logError(`tool ${tool.description.name} failed`, error)
    return failure(500, 'tool_failed', 'The tool failed; the component’s log says why.')
  } finally {
    owned.dispose()
  }
}

/** As far as it was announced: the look for what cannot follow is a turn of the event loop, a tenth of the whole call. */
async function readText(request: Request): Promise<string> {
  const { body, headers } = request
  const announced = Number(headers.get('content-length') ?? 0)
  if (!body || announced === 0) return request.text()
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const decoder = new TextDecoder()
  let text = ''
  for (let size = 0; size < announced;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    text += decoder.decode(value, { stream: size < announced })
  }
  return text
}

/** The arguments, and into the context what a repeated call brings besides. */
function openCall(headers: Headers, text: string, context: ToolContext): unknown {
  const body: unknown = text === '' ? {} : JSON.parse(text)
  if (headers.get('content-type') !== CALL_ENVELOPE_TYPE) return body
  const { arguments: args, inputResponses, requestState } = body as CallEnvelope
  if (inputResponses) context.inputResponses = inputResponses
  if (requestState !== undefined) context.requestState = requestState
  return args
}

async function waitForJob(
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
