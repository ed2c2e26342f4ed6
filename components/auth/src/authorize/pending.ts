/** An authorization request while its user decides: sealed in the form, so it takes no room here. */
import { isArrayOf, isObject, isString } from 'ftl-contract'
import type { Scope } from '../scope.ts'
import type { AuthorizationRequest } from './authorization-request.ts'

export interface Pending {
  request: AuthorizationRequest
  /** Of the browser. */
  digest: string
}

export const PENDING_MS = 10 * 60_000

export function sealPending({ sealer, platform }: Scope, pending: Pending): Promise<string> {
  return sealer.seal('request', { ...pending, until: platform.now() + PENDING_MS })
}

/** @returns `undefined` if it was not made here, or has expired. */
export async function openPending(
  { sealer, platform }: Scope,
  text: string,
): Promise<Pending | undefined> {
  return pendingIn(await sealer.open('request', text), platform.now())
}

function pendingIn(value: unknown, now: number): Pending | undefined {
  if (!isObject(value)) return undefined
  const { request, digest, until } = value
  const isCurrent = typeof until === 'number' && until > now
  return isCurrent && isString(digest) && isRequest(request) ? { request, digest } : undefined
}

const TEXTS = ['clientId', 'clientName', 'redirectUri', 'challenge', 'resource']

export function isRequest(value: unknown): value is AuthorizationRequest {
  return (
    isObject(value) &&
    TEXTS.every((name) => isString(value[name])) &&
    (value['state'] === undefined || isString(value['state'])) &&
    isArrayOf(value['scopes'], isString)
  )
}
