/**
 * Extends the official client by the two answers it does not know: a task, and the start of a stream.
 *
 * Checked with @modelcontextprotocol/client 2.4.0. This is the only file that uses members of the official client that
 * are not public: it overrides the protected methods `_onresponse` and `_shouldDropInbound`; wire.test.ts fails when an
 * update changes them. There is no public hook: a transport's `onmessage` also receives the answers to the negotiation
 * of the revision, which must reach the client unchanged.
 */
import {
  Client as OfficialClient,
  type ClientOptions as OfficialOptions,
  type Implementation,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type RequestOptions,
  type StandardSchemaV1,
} from '@modelcontextprotocol/client'
import { RpcError, ViolationError } from './errors.ts'
import { withReadableContent } from './readable-content.ts'
import {
  answeredRequest,
  failureResponse,
  type PendingRequests,
  RequestFailure,
} from './transport/pending-requests.ts'

/** A call was answered with a job. Passed as `data` of an error, as the official client does not know this result. */
export class JobStarted {
  readonly how: 'task' | 'stream'
  readonly params: Readonly<Record<string, unknown>>

  constructor(how: 'task' | 'stream', params: Record<string, unknown>) {
    this.how = how
    this.params = params
  }
}

/** Accepts any result unchanged. */
const ANY_RESULT: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'ftl-client',
    validate: (value) => ({ value: value as Record<string, unknown> }),
  },
}

export class Wire extends OfficialClient {
  readonly #pending: PendingRequests
  #discovered = false

  constructor(info: Implementation, pending: PendingRequests, options: OfficialOptions) {
    super(info, options)
    this.#pending = pending
  }

  /** Whether the server answered the probe for the newest revision after the older handshake was sent. */
  get discoveredLate(): boolean {
    return this.#discovered
  }

  /** Sends a request of any method; its result is not validated. */
  ask(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<Record<string, unknown>> {
    return this.request({ method, params }, ANY_RESULT, options)
  }

  protected override _onresponse(response: JSONRPCResponse): void {
    // For HTTP, this is the first of our code that sees the response, so it settles the request here.
    const own = this.#addressed(response)
    // An answer in time goes to the negotiation and does not come here.
    if ('result' in own && Array.isArray(own.result['supportedVersions'])) this.#discovered = true
    if (own.id !== undefined) this.#pending.settle(Number(own.id))
    // Progress that arrived just before is delivered a microtask later, and only while the request is open.
    queueMicrotask(() => super._onresponse(translated(own)))
  }

  #addressed(response: JSONRPCResponse): JSONRPCResponse {
    const request = answeredRequest.getStore()
    if (request?.pending !== this.#pending || response.id === request.id) return response
    // A server that could not read the id of a request answers with an error without an id.
    const hasNoId = (response.id ?? null) === null
    if ('error' in response && hasNoId) return { ...response, id: request.id }
    const error = new ViolationError('the server answered with the id of another request')
    return failureResponse(request.id, error)
  }

  /** `stream/start` is an answer that looks like a request: it has a method, and the id of the call. */
  protected override _shouldDropInbound(
    message: JSONRPCRequest | JSONRPCNotification,
  ): 'drop' | undefined {
    if (message.method !== 'stream/start' || !('id' in message)) {
      return super._shouldDropInbound(message)
    }
    const started = new JobStarted('stream', message.params ?? {})
    this._onresponse(asError(message.id, started))
    return 'drop'
  }
}

type JSONRPCResult = Extract<JSONRPCResponse, { result: unknown }>['result']

function translated(response: JSONRPCResponse): JSONRPCResponse {
  const { id } = response
  if ('error' in response) {
    const { code, message, data } = response.error
    if (data instanceof RequestFailure || data instanceof JobStarted) return response
    // Marked as sent by the server, because the official client throws errors of the same class itself.
    const error = new RequestFailure(new RpcError(code, message, data))
    return { ...response, error: { code, message, data: error } }
  }
  const { resultType } = response.result
  if (resultType !== 'task') {
    return { ...response, result: withReadableContent(withoutNullCursor(response.result)) }
  }
  return asError(id, new JobStarted('task', response.result))
}

/** Some servers write null after the last page, for which the official client refuses the list. */
function withoutNullCursor(result: JSONRPCResult): JSONRPCResult {
  if (result['nextCursor'] !== null) return result
  const { nextCursor: _, ...rest } = result
  return rest
}

function asError(id: JSONRPCResponse['id'], data: JobStarted | RequestFailure): JSONRPCResponse {
  return { jsonrpc: '2.0', id, error: { code: 0, message: 'a job was started', data } }
}
