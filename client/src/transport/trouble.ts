/**
 * Trouble with one answer, told to the official client as an error of that request: it has no other way to end one
 * request and leave the others. `data` is an object of ours, which nothing that a server sends can be.
 */
import type { JSONRPCErrorResponse, RequestId } from '@modelcontextprotocol/client'
import type { ClientError } from '../errors.ts'

export class Trouble {
  readonly error: ClientError

  constructor(error: ClientError) {
    this.error = error
  }
}

export function troubleWith(id: RequestId, error: ClientError): JSONRPCErrorResponse {
  return {
    jsonrpc: '2.0',
    id,
    error: { code: 0, message: error.message, data: new Trouble(error) },
  }
}
