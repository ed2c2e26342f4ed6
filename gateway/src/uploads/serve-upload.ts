/** Streams the body of `POST /uploads` to a component, and its answer back. */
import { isObject, isString, PRINCIPAL_HEADER, UPLOADS_KEY, UPLOADS_PATH } from 'ftl-contract'
import { addressOf, discard, failure, json, readText, withDeadline } from 'ftl-http'
import type { ClientRequest } from '../calls/client-request.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import { fetchComponent } from '../component-fetch.ts'
import type { Outcome } from '../invoke/outcome.ts'
import { logError } from '../log.ts'

/** Milliseconds for the whole file: a body that never ends must not hold an instance for ever. */
const UPLOAD_TIMEOUT_MS = 540_000

/** Bytes of a component's answer, which is about the file. */
const ANSWER_LIMIT = 16 * 1024

export async function serveUpload(client: ClientRequest): Promise<Response> {
  const { gateway, scope, request } = client
  const catalog = await gateway.tools.list(scope)
  const listed = catalog.tools.find(({ description }) => description._meta?.[UPLOADS_KEY] === true)
  // Only asking for it by its name makes the decision that approvals and the audit log read.
  const tool = listed && catalog.tool(listed.name)
  const refuse = (
    status: number,
    code: string,
    message: string,
    headers?: Record<string, string>,
  ) => {
    discard(request)
    return failure(status, code, message, headers)
  }
  if (!tool) return refuse(404, 'no_uploads', 'You may use no tool that takes uploads.')
  if (/^multipart\//i.test(request.headers.get('content-type') ?? '')) {
    const message = 'The body must be the file itself, not a form: curl --data-binary @file.'
    return refuse(415, 'unsupported_media_type', message)
  }
  const name = addressOf(request).searchParams.get('name') ?? ''
  const length = request.headers.get('content-length')
  const args = { name, bytes: length === null ? undefined : Number(length) }
  let answer: Response | undefined
  const call = { name: tool.name, args, meta: {}, wantsProgress: false }
  const outcome = await scope.hooks.around(client, call, async ({ begins }): Promise<Outcome> => {
    if (scope.permissions?.decisionOn('tool', tool.name)?.effect === 'ask') {
      const message = `Uploads need a rule that allows ${tool.name}.`
      answer = refuse(403, 'approval_required', message)
      return { kind: 'not-approved', message }
    }
    await begins?.(tool.component, JSON.stringify(args))
    answer = await send(client, tool, args)
    if (answer.ok) return { kind: 'result', result: { content: [] } }
    return { kind: 'tool-failed', message: `status ${answer.status}` }
  })
  if (answer) return answer
  if (outcome.kind !== 'over-limit') return refuse(502, 'tool_failed', 'The upload was refused.')
  const { message, retryAfterSeconds } = outcome
  return refuse(429, 'limit_reached', message, { 'retry-after': String(retryAfterSeconds) })
}

async function send(
  { scope, request }: ClientRequest,
  { component }: CatalogTool,
  { name, bytes }: { name: string; bytes: number | undefined },
): Promise<Response> {
  const { principal } = scope
  const query = new URLSearchParams({ name, ...(bytes !== undefined && { length: String(bytes) }) })
  try {
    const answer = await withDeadline(UPLOAD_TIMEOUT_MS, (signal) =>
      fetchComponent(scope, component, `${UPLOADS_PATH}?${query}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/octet-stream',
          ...(principal !== undefined && { [PRINCIPAL_HEADER]: principal }),
        },
        body: request.body ?? '',
        timeoutMs: UPLOAD_TIMEOUT_MS,
        signal,
      }),
    )
    const body: unknown = JSON.parse(await readText(answer, { limit: ANSWER_LIMIT }))
    const { status } = answer
    if (isObject(body)) {
      if (status === 201) return json(201, body)
      const { code, message } = isObject(body.error) ? body.error : {}
      if (status >= 400 && isString(code) && isString(message)) {
        return failure(status, code, message)
      }
    }
    throw new TypeError(`status ${status}`)
  } catch (error) {
    logError(scope, `upload to ${component}`, error)
    return failure(502, 'component_unavailable', 'The file could not be uploaded.')
  }
}
