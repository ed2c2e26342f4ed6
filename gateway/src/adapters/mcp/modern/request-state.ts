/**
 * Seals the state that a component sends through the client, because the client could change it or use it for another
 * request.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
import { canonicalJson } from 'ftl-contract'
import { utf8 } from 'ftl-http'
import type { RequestState } from '../../../invoke/call-context.ts'
import { isMacOf, macOf } from '../../../mac.ts'
import type { Scope } from '../../../scope.ts'
import { sealingKey } from '../../../sealing-key.ts'
import { pack, unpack } from '../core/opaque.ts'
import { invalidParams, type RpcRequest } from '../json-rpc.ts'

/**
 * @returns `{payload}.{mac}`. The seal is valid for this user, request and component until it expires. Until then a
 * client can send it any number of times, because the gateway does not record its use.
 */
export async function seal(
  scope: Scope,
  request: RpcRequest,
  { of, text, approved }: RequestState,
): Promise<string> {
  const payload = pack([
    scope.platform.now() + scope.settings.requestStateTtlMs,
    of,
    text,
    approved,
  ])
  return `${payload}.${await macOf(await sealingKey(scope), sealed(scope, request, payload))}`
}

/** @throws {RpcFailure} for a state that was changed, has expired or belongs to another request. */
export async function unseal(
  scope: Scope,
  request: RpcRequest,
  text: string,
): Promise<RequestState> {
  const [payload = '', mac = '', more] = text.split('.', 3)
  const covered = sealed(scope, request, payload)
  if (more === undefined && (await isMacOf(mac, await sealingKey(scope), covered))) {
    const [expires, of, state, approved] = unpack(payload) as [number, string, ...(string | null)[]]
    const left = expires - scope.platform.now()
    if (left > 0 && left <= scope.settings.requestStateTtlMs)
      return { of, text: state ?? undefined, approved: approved ?? undefined }
  }
  const reason = 'params.requestState was not issued for this request, or has expired'
  throw invalidParams(reason)
}

/**
 * The bytes the seal covers: payload, user and request. JSON keeps the parts and the arguments' types distinct, and a
 * client may repeat the arguments in another order.
 */
function sealed(
  { principal = null }: { principal?: string | null },
  { method, params }: RpcRequest,
  payload: string,
): Uint8Array<ArrayBuffer> {
  const { name = null, uri = null, arguments: args = {} } = params
  const parts = [payload, principal, method, name, uri, canonicalJson(args)]
  return utf8(JSON.stringify(parts))
}
