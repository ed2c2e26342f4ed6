/**
 * The token that confirms one call, for callers that cannot be asked during it. It is sealed for the caller, the tool and
 * the exact arguments, and expires.
 */
import { utf8 } from 'ftl-http'
import { canonicalJson } from 'ftl-contract'
import { isUrlMacOf, urlMacOf } from '../mac.ts'
import type { Scope } from '../scope.ts'
import { sealingKey } from '../sealing-key.ts'

/** What a token confirms. */
export interface ConfirmedCall {
  component: string
  /** By the name its component gave it. */
  tool: string
  arguments: Readonly<Record<string, unknown>>
}

/** The tokens that one request may bring: those of a list of calls. */
const MAX_TOKENS = 128

export async function createToken(
  scope: Scope,
  call: ConfirmedCall,
): Promise<{ token: string; expires: number }> {
  const expires = scope.platform.now() + scope.settings.requestStateTtlMs
  const payload = `${scope.platform.randomUUID()}.${expires.toString(36)}`
  const mac = await urlMacOf(await sealingKey(scope), covered(scope, call, payload))
  return { token: `${payload}.${mac}`, expires }
}

/** @returns the token among them that was given out for this call, or `undefined`. It may have expired. */
export async function findToken(
  scope: Scope,
  call: ConfirmedCall,
  tokens: string,
): Promise<{ id: string; expires: number } | undefined> {
  const secret = await sealingKey(scope)
  for (const token of tokens.split(',', MAX_TOKENS)) {
    const [, id = '', time = '', mac = ''] = TOKEN.exec(token.trim()) ?? []
    if (id === '' || !(await isUrlMacOf(mac, secret, covered(scope, call, `${id}.${time}`))))
      continue
    return { id, expires: parseInt(time, 36) }
  }
  return undefined
}

const TOKEN = /^([0-9a-f-]{36})\.([0-9a-z]{1,12})\.([\w-]{43})$/

/** The prefix `approval` separates these seals from other data that is sealed with the same key. */
function covered(
  { principal = null }: { principal?: string | null },
  { component, tool, arguments: args }: ConfirmedCall,
  payload: string,
): Uint8Array<ArrayBuffer> {
  const parts = [payload, principal, component, tool, canonicalJson(args)]
  return utf8(`approval ${JSON.stringify(parts)}`)
}
