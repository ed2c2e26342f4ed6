/**
 * A component's state on its way through the client: sealed, because the client could change it or use it for
 * another request.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @module
 */
import type { Scope } from '../../../scope.ts'
import { isObject } from '../../../values.ts'
import { pack, unpack } from '../core/opaque.ts'
import { invalidParams, type RpcRequest } from '../json-rpc.ts'

/** Key of the random key, kept where no `request_state_key` is given. */
export const STORED_KEY = 'key:request-state'

const encoder = new TextEncoder()
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** A component's state, and the component that gave it. */
export interface State {
  of: string
  text: string
}

/**
 * @returns `{payload}.{mac}`. The seal holds for this user, this request and this component, until its time is up; as
 * often as the client likes until then, because nothing is remembered.
 */
export async function seal(
  scope: Scope,
  request: RpcRequest,
  { of, text }: State,
): Promise<string> {
  const payload = pack([scope.platform.now() + scope.settings.requestStateTtlMs, of, text])
  const mac = await crypto.subtle.sign(HMAC, await key(scope), sealed(scope, request, payload))
  return `${payload}.${btoa(String.fromCharCode(...new Uint8Array(mac)))}`
}

/** @throws {RpcFailure} for a state that was changed, has expired or belongs to another request. */
export async function unseal(scope: Scope, request: RpcRequest, text: string): Promise<State> {
  const [payload = '', mac, more] = text.split('.', 3)
  const given = more === undefined ? toBytes(mac) : undefined
  const covered = sealed(scope, request, payload)
  if (given && (await crypto.subtle.verify(HMAC, await key(scope), given, covered))) {
    const [expires, of, state] = unpack(payload) as [number, string, string]
    const left = expires - scope.platform.now()
    if (left > 0 && left <= scope.settings.requestStateTtlMs) return { of, text: state }
  }
  const reason = 'params.requestState was not given out for this request, or has expired'
  throw invalidParams(reason)
}

/** What the seal covers: the payload, its user and the request. JSON keeps all these and the arguments' types apart. */
function sealed(
  { principal = null }: { principal?: string | null },
  { method, params }: RpcRequest,
  payload: string,
): Uint8Array<ArrayBuffer> {
  const { name = null, uri = null, arguments: args = {} } = params
  const parts = [payload, principal, method, name, uri, inOrder(args)]
  return encoder.encode(JSON.stringify(parts))
}

/** A client may repeat the arguments in another order, so properties are sorted; what is no object stays as it is. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isObject(value)) return value
  const names = Object.keys(value).sort()
  return { properties: names.map((name) => [name, inOrder(value[name])]) }
}

async function key(scope: Scope): Promise<CryptoKey> {
  const { requestStateKey } = scope.settings
  const bytes = requestStateKey === '' ? await storedKey(scope) : encoder.encode(requestStateKey)
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify'])
}

async function storedKey(scope: Scope): Promise<Uint8Array<ArrayBuffer>> {
  const store = await scope.store()
  const stored = await store.get(STORED_KEY)
  if (stored) return new Uint8Array(stored)
  await store.set(STORED_KEY, crypto.getRandomValues(new Uint8Array(32)))
  // Two instances may have had the same idea: what was written last is the key.
  return new Uint8Array((await store.get(STORED_KEY)) ?? [])
}

/** `undefined` for text that was never ours. */
function toBytes(text = ''): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
