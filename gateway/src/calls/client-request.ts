/** One HTTP request of a client, whatever its protocol. */
import { addressOf } from 'ftl-http'
import type { Gateway } from '../gateway.ts'
import type { Scope } from '../scope.ts'

/** The request, and what is needed to answer it. */
export interface ClientRequest {
  gateway: Gateway
  scope: Scope
  request: Request
}

/** Origin of the gateway as the client addressed it. */
export function originOf(request: Request): string {
  return addressOf(request).origin
}
