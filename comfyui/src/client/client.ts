/**
 * The client: submitting, looking, cancelling, fetching files.
 *
 * @module
 */
import { ComfyError } from './errors.ts'
import { exchange, type Fetch, type HttpOptions, jsonOf, open, type Reply, toBase } from './http.ts'
import {
  type ComfyJob,
  fromHistory,
  fromJobView,
  fromQueue,
  type OutputFile,
  UNKNOWN_JOB,
} from './job.ts'
import { asNumber, asRecord, asText, isRecord, type Json } from './json.ts'
import { toRefusal, toWarnings } from './refusal.ts'

export interface ComfyClientOptions {
  /** For example `http://127.0.0.1:8188`; a path prefix is kept. */
  baseUrl: string
  fetch: Fetch
  /** Sent with every request, for example `Authorization`. `Origin`, `Cookie` and `Sec-*` never are. */
  headers?: Record<string, string>
  /**
   * Milliseconds for one answer. A server may be busy loading a model, and a component must not hang.
   *
   * @default 10_000
   */
  timeoutMs?: number
}

export interface Submission {
  /** API format. */
  workflow: Json
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

export interface ComfyClient {
  /**
   * Queues a workflow. When the outcome of sending it is not known, the server is asked for the job before it is
   * sent once more: the server itself would run the same id twice.
   *
   * @throws {ComfyError}
   */
  submit(submission: Submission): Promise<Submitted>
  /** @throws {ComfyError} `unreachable` or `timeout`: that is not the same as `unknown`. */
  job(promptId: string): Promise<ComfyJob>
  /** Stops exactly this job. Whether there was anything to stop. */
  cancel(promptId: string): Promise<boolean>
  /**
   * A file, as the server streams it; any status may come.
   *
   * @param headers for example `Range` and `If-None-Match`.
   */
  view(
    file: Pick<OutputFile, 'filename' | 'subfolder' | 'type'>,
    headers?: Record<string, string>,
  ): Promise<Response>
  /** Prompts that run or wait: how busy the server is. */
  queueRemaining(): Promise<number>
  /** Descriptions of all node classes, or of one; an unknown class gives an empty object. */
  objectInfo(nodeClass?: string): Promise<Json>
  version(): Promise<string>
}

export function createComfyClient(options: ComfyClientOptions): ComfyClient {
  const { baseUrl, fetch, headers = {}, timeoutMs = 10_000 } = options
  const http: HttpOptions = { baseUrl: toBase(baseUrl), fetch, headers, timeoutMs }
  const get = async (path: string) => readOk(await exchange(http, path))
  const job = (promptId: string) => lookUp(http, promptId)

  return {
    job,

    async submit(submission) {
      try {
        return await post(http, submission)
      } catch (error) {
        if (!isUndecided(error)) throw error
        if ((await job(submission.promptId)).status !== 'unknown') {
          return { promptId: submission.promptId, warnings: [] }
        }
        return post(http, submission)
      }
    },

    async cancel(promptId) {
      const id = encodeURIComponent(promptId)
      const reply = await exchange(http, `/jobs/${id}/cancel`, {})
      if (reply.status === 200) return asRecord(jsonOf(reply)).cancelled === true
      if (reply.status !== 404 && reply.status !== 405) throw unexpected(reply)
      return cancelLegacy(http, promptId)
    },

    async view({ filename, subfolder, type }, extra = {}) {
      return open(http, `/view?${new URLSearchParams({ filename, subfolder, type })}`, {}, extra)
    },

    async queueRemaining() {
      const info = asRecord(asRecord(await get('/prompt')).exec_info)
      return asNumber(info.queue_remaining) ?? 0
    },

    async objectInfo(nodeClass) {
      const path = nodeClass === undefined ? '' : `/${encodeURIComponent(nodeClass)}`
      return asRecord(await get(`/object_info${path}`))
    },

    async version() {
      const { system } = asRecord(await get('/system_stats'))
      return asText(asRecord(system).comfyui_version) ?? 'unknown'
    },
  }
}

async function post(http: HttpOptions, submission: Submission): Promise<Submitted> {
  const { workflow, promptId, clientId, extraData } = submission
  const reply = await exchange(http, '/prompt', {
    prompt: workflow,
    prompt_id: promptId,
    ...(clientId !== undefined && { client_id: clientId }),
    ...(extraData && { extra_data: extraData }),
  })
  const body = jsonOf(reply)
  if (reply.status === 200 && isRecord(body)) {
    return {
      promptId: asText(body.prompt_id) ?? promptId,
      warnings: toWarnings(body.node_errors),
    }
  }
  if (reply.status === 400 && isRecord(body)) throw toRefusal(body, reply.status)
  throw unexpected(reply)
}

/** Whether the server may have taken the prompt: no answer, or one of a proxy in front of it. */
function isUndecided(error: unknown): boolean {
  return error instanceof ComfyError && (error.kind === 'unreachable' || error.kind === 'timeout')
}

async function lookUp(http: HttpOptions, promptId: string): Promise<ComfyJob> {
  const id = encodeURIComponent(promptId)
  const reply = await exchange(http, `/jobs/${id}`)
  const body = jsonOf(reply)
  if (reply.status === 200 && isRecord(body)) return fromJobView(body)
  if (reply.status === 404 && isRecord(body)) return UNKNOWN_JOB
  if (reply.status !== 404 && reply.status !== 405) throw unexpected(reply)

  const readHistory = async () => asRecord(readOk(await exchange(http, `/history/${id}`)))[promptId]
  const entry = await readHistory()
  if (isRecord(entry)) return fromHistory(entry)
  const queued = fromQueue(asRecord(readOk(await exchange(http, '/queue'))), promptId)
  if (queued.status !== 'unknown') return queued
  // It may have moved from the queue to history between the two looks.
  const late = await readHistory()
  return isRecord(late) ? fromHistory(late) : UNKNOWN_JOB
}

async function cancelLegacy(http: HttpOptions, promptId: string): Promise<boolean> {
  const look = async () => asRecord(readOk(await exchange(http, '/queue')))
  const before = fromQueue(await look(), promptId).status
  if (before === 'unknown') return false
  if (before === 'pending') await exchange(http, '/queue', { delete: [promptId] })
  // Servers before 0.3.57 stop whatever runs: so only when it is this one.
  const now = before === 'running' ? before : fromQueue(await look(), promptId).status
  if (now === 'running') await exchange(http, '/interrupt', { prompt_id: promptId })
  return true
}

function readOk(reply: Reply): unknown {
  const body = jsonOf(reply)
  if (reply.status !== 200 || body === undefined) throw unexpected(reply)
  return body
}

function unexpected({ status }: Reply): ComfyError {
  const details = { status }
  if (status === 401 || status === 403) {
    return new ComfyError('rejected', 'The ComfyUI server refused access.', details)
  }
  if (status === 413) return new ComfyError('rejected', 'The workflow is too large.', details)
  // A gateway error comes from a proxy; 500 comes from ComfyUI itself, which then has not queued anything.
  return status === 502 || status === 503 || status === 504
    ? new ComfyError('unreachable', `The ComfyUI server could not be reached (${status}).`, details)
    : new ComfyError('rejected', `No ComfyUI server answers like this (status ${status}).`, details)
}
