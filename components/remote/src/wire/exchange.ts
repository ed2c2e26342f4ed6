/**
 * One request to a server: sent, and its answer waited for.
 *
 * @module
 */
import { secretsOf } from '../redact.ts'
import { isObject, type RemoteServer } from '../servers.ts'
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
  tell,
} from './request.ts'
import { startTimer } from './timer.ts'

/** A line of progress, as it came. */
export type News = Record<string, unknown>
export type Answer = AsyncGenerator<News, Record<string, unknown>, undefined>

/** @throws {RemoteError} whatever goes wrong. Yields what is told on the way; returns the result. */
export async function* send(
  network: Network,
  server: RemoteServer,
  connection: Connection,
  call: Call,
): Answer {
  const timer = startTimer(call.timeoutMs)
  const secrets = secretsOf(server)
  const { limit, method } = call
  const id = newId()
  let answered = false
  try {
    const message = { jsonrpc: '2.0', id, method, params: paramsOf(connection, call, id) }
    const response = await post(network, server, headersOf(connection, call), message, timer)
    if (response.status !== 200) throw await refusal(response, timer, secrets)
    for await (const each of readMessages(response, { timer, limit, secrets })) {
      const messages: unknown[] = Array.isArray(each) ? each : [each]
      for (const message of messages) {
        const result = resultOf(message, id)
        if (result) {
          answered = true
          return result
        }
        if (isObject(message) && message['method'] === 'notifications/progress') {
          if (isObject(message['params'])) yield message['params']
        } else refuseQuestion(network, server, connection, message)
      }
    }
    throw new RemoteError('unreachable', 'broke off its answer')
  } catch (error) {
    answered = error instanceof RemoteError && error.kind !== 'timeout'
    throw error
  } finally {
    timer.end()
    // In 2026-07-28 the end of the connection says the same.
    if (!answered && connection.revision !== MODERN && method === 'tools/call') {
      const params = { requestId: id, reason: 'nobody waits for it any more' }
      const told = notify(network, server, connection, 'notifications/cancelled', params)
      network.waitUntil(told)
    }
  }
}

/** The result of {@link send}, without what is told on the way. */
export async function ask(...args: Parameters<typeof send>): Promise<Record<string, unknown>> {
  const answer = send(...args)
  for (;;) {
    const next = await answer.next()
    if (next.done) return next.value
  }
}

/** The answer of `initialize` comes with the session, if there is one. */
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
  // It will be a header of every request, so it must be able to.
  if (session === undefined || !/^[\x21-\x7e]{1,1024}$/.test(session)) return { result }
  return { result, session }
}

/** Never throws: nobody answers a notification. */
export async function notify(
  network: Network,
  server: RemoteServer,
  connection: Connection,
  method: string,
  params?: Record<string, unknown>,
): Promise<void> {
  await tell(network, server, connection, { jsonrpc: '2.0', method, ...(params && { params }) })
}

/** A server may ask in the middle of an answer; nothing was declared that it could ask for. */
function refuseQuestion(
  network: Network,
  server: RemoteServer,
  connection: Connection,
  message: unknown,
): void {
  const { id, method } = message as { id?: unknown; method?: unknown }
  if (id === undefined || connection.revision === MODERN) return
  const error = { code: -32601, message: 'Method not found' }
  const answer = method === 'ping' ? { result: {} } : { error }
  network.waitUntil(tell(network, server, connection, { jsonrpc: '2.0', id, ...answer }))
}

/** Another one for every request: those of one session share their ids, whichever instance sends them. */
function newId(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
}
