/** Sends a request to a server and waits for its answer. */
import { isObject } from 'ftl-contract'
import { startDeadline } from 'ftl-http'
import { secretsOf } from '../redact.ts'
import type { RemoteServer } from '../servers.ts'
import { refusal, resultOf } from './answer.ts'
import { readMessages } from './messages.ts'
import { RemoteError } from './remote-error.ts'
import {
  type Call,
  CLIENT,
  type Connection,
  headersOf,
  MODERN,
  type Network,
  paramsOf,
  post,
  sendUnanswered,
} from './request.ts'

/** Answers to requests of a server within one exchange. Each is a request of ours, and each `ping` only some bytes. */
const MAX_REPLIES = 16

/** A notification about the request; its `params` are not validated. */
export interface Update {
  kind: 'progress' | 'log'
  params: Record<string, unknown>
}
export type Answer = AsyncGenerator<Update, Record<string, unknown>, undefined>

const UPDATES: ReadonlyMap<unknown, Update['kind']> = new Map([
  ['notifications/progress', 'progress'],
  ['notifications/message', 'log'],
])

/** Yields progress and log lines, and returns the result. @throws {RemoteError} for every failure. */
export async function* send(
  network: Network,
  server: RemoteServer,
  connection: Connection,
  call: Call,
): Answer {
  const deadline = startDeadline(call.timeoutMs)
  const secrets = secretsOf(server)
  const { limit, method, brackets } = call
  const id = newId()
  let answered = false
  let replies = 0
  try {
    const message = { jsonrpc: '2.0', id, method, params: paramsOf(connection, call, id) }
    const response = await post(network, server, headersOf(connection, call), message, deadline)
    if (response.status !== 200) throw await refusal(response, deadline, secrets)
    for await (const each of readMessages(response, { deadline, limit, secrets, brackets })) {
      const messages: unknown[] = Array.isArray(each) ? each : [each]
      for (const message of messages) {
        const result = resultOf(message, id)
        if (result) {
          answered = true
          return result
        }
        const sent = isObject(message) ? message['method'] : undefined
        const kind = UPDATES.get(sent)
        if (isObject(message) && kind) {
          if (isObject(message['params'])) yield { kind, params: message['params'] }
        } else if (typeof sent === 'string' && sent.startsWith('notifications/')) {
          call.onNotice?.(sent)
        } else if (mayBeAnswered(message, connection) && ++replies <= MAX_REPLIES) {
          answerServerRequest(network, server, connection, message)
        }
      }
    }
    throw new RemoteError('unreachable', 'broke off its answer')
  } catch (error) {
    answered = error instanceof RemoteError && error.kind !== 'timeout'
    throw error
  } finally {
    deadline.end()
    // In 2026-07-28, closing the connection cancels the request.
    if (!answered && connection.revision !== MODERN && method === 'tools/call') {
      const params = { requestId: id, reason: 'the caller no longer waits for it' }
      const notified = notify(network, server, connection, 'notifications/cancelled', params)
      network.waitUntil(notified)
    }
  }
}

/** Returns the result of {@link send} and ignores what comes before it. */
export async function ask(...args: Parameters<typeof send>): Promise<Record<string, unknown>> {
  const answer = send(...args)
  for (;;) {
    const next = await answer.next()
    if (next.done) return next.value
  }
}

/** Returns the session id too, which the server sends in a header of its answer to `initialize`. */
export async function initialize(
  network: Network,
  server: RemoteServer,
  call: Omit<Call, 'method'>,
): Promise<{ result: Record<string, unknown>; session?: string }> {
  let session: string | undefined
  const listening: Network = {
    waitUntil: (work) => network.waitUntil(work),
    async fetch(url, init) {
      const response = await network.fetch(url, init)
      session = response.headers.get('mcp-session-id') ?? undefined
      return response
    },
  }
  const before = { revision: '' }
  const params = { ...call.params, capabilities: {}, clientInfo: CLIENT }
  const result = await ask(listening, server, before, { ...call, method: 'initialize', params })
  // The session id becomes a header of every request, so ignore one that is not a valid header value.
  if (session === undefined || !/^[\x21-\x7e]{1,1024}$/.test(session)) return { result }
  return { result, session }
}

/** Does not throw: a notification has no answer. */
export async function notify(
  network: Network,
  server: RemoteServer,
  connection: Connection,
  method: string,
  params?: Record<string, unknown>,
): Promise<void> {
  await sendUnanswered(network, server, connection, {
    jsonrpc: '2.0',
    method,
    ...(params && { params }),
  })
}

interface ServerRequest {
  id: string | number
  method?: unknown
}

/** In 2026-07-28 a server sends no requests. */
function mayBeAnswered(message: unknown, { revision }: Connection): message is ServerRequest {
  const { id } = message as { id?: unknown }
  return revision !== MODERN && (typeof id === 'string' || typeof id === 'number')
}

/** Answers a request that a server sends within its answer: it rejects all but `ping`, as no capability is declared. */
function answerServerRequest(
  network: Network,
  server: RemoteServer,
  connection: Connection,
  { id, method }: ServerRequest,
): void {
  const error = { code: -32601, message: 'Method not found' }
  const answer = method === 'ping' ? { result: {} } : { error }
  network.waitUntil(sendUnanswered(network, server, connection, { jsonrpc: '2.0', id, ...answer }))
}

/**
 * Random, because ids must differ within a session, and several instances may share a session. Of 30 bits, because some
 * servers keep ids in signed integers of 32.
 */
function newId(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) >>> 2
}
