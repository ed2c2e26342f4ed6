import { AsyncLocalStorage } from '#async-context'
import type { JSONRPCErrorResponse, RequestId } from '@modelcontextprotocol/client'
import type { ClientError } from '../errors.ts'

/** Ids of the requests that wait for their answer. */
export class PendingRequests {
  readonly #ids = new Set<RequestId>()

  add(id: RequestId): void {
    this.#ids.add(id)
  }

  /** @returns whether the request was still waiting. */
  settle(id: RequestId): boolean {
    return this.#ids.delete(id)
  }

  /** The request that an answer with this id belongs to; without a readable id, the request if there is only one. */
  owner(id: RequestId | undefined): RequestId | undefined {
    if (id !== undefined) return this.#ids.has(id) ? id : undefined
    return this.#ids.size === 1 ? this.#ids.values().next().value : undefined
  }
}

/**
 * The request whose HTTP response is being read. Each message in that response belongs to this request, whatever id it
 * has; the official client would drop a message with another id, and wait.
 */
export const answeredRequest = new AsyncLocalStorage<{ id: RequestId; pending: PendingRequests }>()

/**
 * An error of one request, as the `data` of a JSON-RPC error: the official client has no other way to end one request
 * without the others. Servers cannot send an instance of this class.
 */
export class RequestFailure {
  readonly error: ClientError

  constructor(error: ClientError) {
    this.error = error
  }
}

export function failureResponse(id: RequestId, error: ClientError): JSONRPCErrorResponse {
  return {
    jsonrpc: '2.0',
    id,
    error: { code: 0, message: error.message, data: new RequestFailure(error) },
  }
}
