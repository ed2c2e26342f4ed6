/**
 * Queuing a workflow, once.
 *
 * @see https://docs.comfy.org/development/comfyui-server/comms_routes
 */
import { isObject } from 'ftl-contract'
import { ComfyError } from './errors.ts'
import { exchange, type HttpOptions, jsonOf, unexpected } from './http.ts'
import type { ComfyJob } from './job.ts'
import { asText, type Json } from './narrow.ts'
import { toRefusal, toWarnings } from './refusal.ts'

export interface Submission {
  /** API format: its value, or its JSON text, which is sent as it is (numbers beyond 2^53 are kept). */
  workflow: Json | string
  /** A UUID; becomes the prompt's id. */
  promptId: string
  /** Whose WebSocket hears of this prompt. */
  clientId?: string
  extraData?: Json
}

export interface Submitted {
  /** The id the server uses: its own on servers older than 0.3.45. */
  promptId: string
  /** Branches the server left out, although it runs the rest. */
  warnings: ComfyError[]
}

/**
 * Sends a prompt. If the reply was lost, it first asks the server for the job, and then sends the prompt again. A server would
 * run the same id twice.
 *
 * @throws {ComfyError}
 */
export async function submit(
  http: HttpOptions,
  submission: Submission,
  job: (promptId: string) => Promise<ComfyJob>,
): Promise<Submitted> {
  try {
    return await send(http, submission)
  } catch (error) {
    if (!(error instanceof Undecided)) throw error
  }
  try {
    return (await adopt(submission, job)) ?? (await send(http, submission))
  } catch (error) {
    throw error instanceof Undecided ? error.cause : error
  }
}

/** {@link submit} for a prompt that may have been sent before, by a process that did not live to hear the answer. */
export async function submitOnce(
  http: HttpOptions,
  submission: Submission,
  job: (promptId: string) => Promise<ComfyJob>,
): Promise<Submitted> {
  return (await adopt(submission, job)) ?? submit(http, submission, job)
}

async function adopt(
  { promptId }: Submission,
  job: (promptId: string) => Promise<ComfyJob>,
): Promise<Submitted | undefined> {
  const { status } = await job(promptId)
  return status === 'unknown' ? undefined : { promptId, warnings: [] }
}

/** The server may have taken the prompt. */
class Undecided extends Error {
  override readonly cause: ComfyError
  constructor(cause: ComfyError) {
    super(cause.message)
    this.cause = cause
  }
}

async function send(http: HttpOptions, submission: Submission): Promise<Submitted> {
  const { workflow, promptId, clientId, extraData } = submission
  const prompt = typeof workflow === 'string' ? workflow : JSON.stringify(workflow)
  const rest = JSON.stringify({
    prompt_id: promptId,
    ...(clientId !== undefined && { client_id: clientId }),
    ...(extraData && { extra_data: extraData }),
  })
  const bytes = `{"prompt":${prompt},${rest.slice(1)}`
  const sent = exchange(http, '/prompt', { type: 'application/json', bytes })
  const reply = await sent.catch((error: unknown) => {
    throw error instanceof ComfyError ? new Undecided(error) : error
  })
  const body = jsonOf(reply)
  if (reply.status === 200 && isObject(body)) {
    return {
      promptId: asText(body.prompt_id) || promptId,
      warnings: toWarnings(body.node_errors),
    }
  }
  if (reply.status === 400 && isObject(body)) throw toRefusal(body, reply.status)
  const error = unexpected(reply)
  // Half an answer, or one of a proxy that gave up on a server that may go on.
  if (reply.status === 200 || error.kind === 'unreachable') throw new Undecided(error)
  throw error
}
