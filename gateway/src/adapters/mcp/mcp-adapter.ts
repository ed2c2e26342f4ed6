/**
 * MCP over Streamable HTTP: one endpoint, `POST /mcp`, without sessions and, unless clients are notified of changed lists,
 * without a stream of its own (`GET /mcp`).
 * `POST /mcp/x/{component}` is the same for one component, whose tools, prompts and resources have their own names.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
import {
  acceptsEvents,
  BodyTooLarge,
  ConfigurationError,
  contentTypeOk,
  eventStream,
  failure,
  json,
  JsonTooDeep,
  parseJson,
  readSoon,
  roundedNumber,
} from 'ftl-http'
import { memberOf } from 'ftl-contract'
import { wrongOption } from '../../client-traits.ts'
import { LARGE_ADVICE, REQUEST_LIMIT } from '../../calls/request-limits.ts'
import type { Gateway, TransportAdapter } from '../../gateway.ts'
import { isStoreFailure, STORE_FAILURE } from '../../store-failure.ts'
import { InsufficientScope } from '../../insufficient-scope.ts'
import { mayEnter } from '../../catalog/outline.ts'
import type { Handler } from '../../routes.ts'
import { narrowed, type Scope } from '../../scope.ts'
import { VIEW_PROBLEM, viewOf } from '../../calls/tools-view.ts'
import { serveBatch } from './batch.ts'
import { failureAnswer } from './core/call-messages.ts'
import { decideEra } from './era.ts'
import type { Exchange, Reply } from './exchange.ts'
import {
  error,
  explained,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  PARSE_ERROR,
  readMessage,
  refuse,
  type RpcError,
  RpcFailure,
  type RpcNotification,
  type RpcRequest,
  standardError,
} from './json-rpc.ts'
import { changeStream } from './legacy/change-stream.ts'
import { legacyEra } from './legacy/legacy-era.ts'
import { modernEra } from './modern/modern-era.ts'

export const mcpAdapter: TransportAdapter = {
  name: 'mcp',
  routes(gateway) {
    const handler =
      (serve: Serve): Handler =>
      ({ request, scope, param }) => {
        if (param === '') return serve(gateway, request, scope)
        const answer = (isThere: boolean) =>
          isThere
            ? serve(gateway, request, narrowed(scope, param))
            : failure(404, 'no_such_component', 'There is no such component.')
        // Any other component must not become an address.
        const isKnown = scope.components.includes(param)
        if (!scope.permissions) return answer(isKnown)
        const { tools } = gateway
        return (tools.outline?.(scope) ?? tools.list(scope)).then((all) =>
          answer(isKnown && mayEnter(all, param)),
        )
      }
    return ['/mcp', '/mcp/x/:component'].map((path) => ({
      path,
      methods: { POST: handler(serve) },
      streamMethods: { GET: handler(changeStream) },
    }))
  },
}

type Serve = (gateway: Gateway, request: Request, scope: Scope) => Response | Promise<Response>

async function serve(gateway: Gateway, request: Request, scope: Scope): Promise<Response> {
  const { headers } = request
  if (!contentTypeOk(headers)) return refused(415, 'the Content-Type must be application/json')
  if (request.url.includes('?')) {
    if (viewOf(request) === 'invalid') return refused(400, VIEW_PROBLEM, 'tools')
    const wrong = wrongOption(request)
    if (wrong) return refused(400, wrong.reason, wrong.field)
  }
  let body: unknown
  try {
    const read = readSoon(request, { limit: REQUEST_LIMIT })
    const text = typeof read === 'string' ? read : await read
    body = parseJson(text)
    // The call is refused where its arguments are checked, in the form of its revision. Of a batch, each call.
    const args = Array.isArray(body) ? body : memberOf(memberOf(body, 'params'), 'arguments')
    scope.rounded = roundedNumber(text, args)
  } catch (cause) {
    if (cause instanceof BodyTooLarge) {
      return refused(413, `the body has ${cause.message}; ${LARGE_ADVICE}`)
    }
    if (cause instanceof JsonTooDeep) return refused(400, `the body ${cause.message}`)
    return refuse(400, null, standardError(PARSE_ERROR))
  }
  const version = headers.get('mcp-protocol-version')?.trim()
  const exchange: Exchange = {
    gateway,
    scope,
    request,
    // Some clients behind a proxy send it twice.
    versionHeader:
      (version?.includes(',') ? version.replace(/^([^,]+), *\1$/, '$1') : version) || undefined,
    acceptsEvents: acceptsEvents(request),
  }
  if (Array.isArray(body)) return serveBatch(exchange, body, answerOf)

  const message = readMessage(body)
  if (message.kind === 'response') return accepted()
  if (message.kind === 'invalid') {
    const { id, code, reason } = message
    return refuse(400, id, worded(exchange, standardError(code, { reason })))
  }
  // Nothing a client notifies of changes anything here: no sessions, and a call cannot be found again.
  let reply: Reply | undefined
  try {
    reply = await replyTo(exchange, message)
  } catch (cause) {
    reply = failureReply(exchange, message, cause)
  }
  if (!reply) return accepted()
  if ('messages' in reply) return eventStream(reply.messages, () => scope.connection.leave())
  return json(reply.status ?? 200, reply.answer, reply.headers)
}

type Message = RpcRequest | RpcNotification

/** @returns nothing for a notification. @throws what {@link failureReply} makes a reply of. */
function replyTo(exchange: Exchange, message: Message): Reply | Promise<Reply> | undefined {
  const era = decideEra(message, exchange.versionHeader)
  if (message.kind === 'notification') return undefined
  const handler = era === 'modern' ? modernEra : legacyEra
  return exchange.scope.hooks.aroundMethod(exchange, message, () =>
    handler.answer(exchange, message),
  )
}

/** Every request gets a reply with its id, also when the gateway itself fails. */
function failureReply(exchange: Exchange, message: Message, cause: unknown): Reply {
  const { scope } = exchange
  const id = message.kind === 'request' ? message.id : null
  if (cause instanceof RpcFailure) {
    return { status: cause.status, answer: error(id, worded(exchange, cause.error)) }
  }
  if (cause instanceof InsufficientScope) {
    const { message, scopes, headers } = cause
    const data = { error: InsufficientScope.code, scopes }
    const answer = error(id, { code: INVALID_REQUEST, message, data })
    return { status: InsufficientScope.status, answer, headers }
  }
  if (cause instanceof ConfigurationError) {
    const reason = cause.message
    return { answer: error(id, standardError(INTERNAL_ERROR, { reason })) }
  }
  const answer = failureAnswer(scope, id ?? 0, cause)
  if (!isStoreFailure(cause)) return { answer }
  const { status, retryAfterSeconds } = STORE_FAILURE
  return { status, answer, headers: { 'retry-after': String(retryAfterSeconds) } }
}

/** Clients that send no version are those of the API reference, which states the messages. */
function worded({ versionHeader }: Exchange, cause: RpcError): RpcError {
  return versionHeader === undefined ? cause : explained(cause)
}

/** One answer of a batch. */
async function answerOf(exchange: Exchange, request: RpcRequest) {
  let reply: Reply | undefined
  try {
    reply = await replyTo({ ...exchange, acceptsEvents: false }, request)
  } catch (cause) {
    reply = failureReply(exchange, request, cause)
  }
  return reply && 'answer' in reply ? reply.answer : undefined
}

function accepted(): Response {
  return new Response(null, { status: 202 })
}

function refused(status: number, reason: string, field?: string): Response {
  return refuse(status, null, standardError(INVALID_REQUEST, { reason, field }))
}
