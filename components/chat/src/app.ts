/** The chat as one function from request to response. */
import type { Platform } from 'ftl-platform'
import {
  ConfigurationError,
  createRequestId,
  createAccessLists,
  eventStream,
  failure,
  guarded,
  json,
  jsonLines,
  methodNotAllowed,
} from 'ftl-http'
import { admit, credentialsOf } from './access/admission.ts'
import { type AnyLine, createLines } from './lines.ts'
import { ChatFailure } from './failure.ts'
import { tokenBudget } from './limits/token-budget.ts'
import { readChat } from './request/read-chat.ts'
import { modelSettings, withModel } from './settings.ts'
import { modelState } from './model/find-model.ts'
import { createGateway } from './tools/gateway.ts'
import { answerChat } from './turns/answer-chat.ts'
import { type ChatRun, runChat } from './turns/run-chat.ts'

/** Silence after which a line says that the work goes on: below the idle limits of common proxies. */
const HEARTBEAT_MS = 10_000

const METHODS = 'GET, HEAD, POST'

const UNCACHED = { 'cache-control': 'no-store' }

/** `POST /api/chat`: lines of JSON or, with `Accept: application/json`, only the last of them. `GET /api/chat`: which model there is. */
export async function answer(request: Request, platform: Platform): Promise<Response> {
  const requestId = createRequestId(request, platform)
  return guarded({
    request,
    requestId,
    lists: createAccessLists(platform.variables),
    refuse: (status, message) =>
      failure(status, status === 421 ? 'misdirected' : 'forbidden', message),
    answer: () => answerAllowed(request, platform, requestId),
    failed: (error) => refused(error, requestId),
  })
}

async function answerAllowed(
  request: Request,
  platform: Platform,
  requestId: string,
): Promise<Response> {
  const { method } = request
  const controller = new AbortController()
  const { signal } = controller
  const credentials = credentialsOf(request)
  const admitted = await admit(createGateway({ platform, requestId, credentials, signal }))
  if (admitted instanceof Response) return admitted
  if (method === 'GET' || method === 'HEAD') {
    const state = json(200, await modelState(platform), UNCACHED)
    return method === 'HEAD' ? new Response(null, state) : state
  }
  if (method === 'OPTIONS') {
    return new Response(null, { status: 204, headers: { allow: `${METHODS}, OPTIONS` } })
  }
  if (method !== 'POST') return methodNotAllowed(METHODS)
  const chat = await readChat(request)
  // Before any line, so that a setting that cannot be used has a status of its own.
  const model = withModel(modelSettings(platform.variables), chat.model)
  const budget = await tokenBudget(platform, admitted.principal)
  await budget?.check()
  const lines = createLines(platform)
  const run: ChatRun = {
    chat,
    platform,
    requestId,
    model,
    lines,
    credentials,
    budget,
    signal,
  }
  if (wantsOneAnswer(request)) {
    return json(200, lines.result(await answerChat(run, async () => undefined)), UNCACHED)
  }
  return eventStream(runChat(run), () => controller.abort(new Error('the client has gone')), {
    ...jsonLines((): AnyLine => lines.status({ step: 'waiting', message: 'Still working' })),
    type: 'application/x-ndjson; charset=utf-8',
    idleMs: HEARTBEAT_MS,
  })
}

/** A client that names JSON, and not lines of it. */
function wantsOneAnswer({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? ''
  return /\bapplication\/json\b/i.test(accept) && !/ndjson|event-stream/i.test(accept)
}

function refused(error: unknown, requestId: string): Response {
  if (error instanceof ChatFailure) {
    const { status, code, message, field } = error
    return json(status, { error: { code, message, field, requestId } })
  }
  if (error instanceof ConfigurationError) {
    return json(500, { error: { code: 'configuration', message: error.message, requestId } })
  }
  logUnexpected(requestId, error)
  return json(500, {
    error: { code: 'internal', message: 'The chat failed; see its log.', requestId },
  })
}

/** The log keeps what the client must not see. */
function logUnexpected(requestId: string, error: unknown): void {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  console.error(`[${requestId}] failed: ${name}: ${message}\n${stack}`)
}
