/**
 * Takes a JSON Web Token apart. Nothing in the result has been verified.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7519
 * @see https://www.rfc-editor.org/rfc/rfc8725 for the known attacks
 */
import { isString, memberOf } from 'ftl-contract'
import { utf8 } from 'ftl-http'
import { fromBase64Url } from './base64url.ts'
import { invalid, type InvalidToken } from './invalid-token.ts'
import { parseStrictObject } from './strict-json.ts'

/** Characters of a token. Those of common issuers have 700 to 3,000. */
const TOKEN_LIMIT = 8192

export type Members = Readonly<Record<string, unknown>>

export interface Jwt {
  header: Members
  claims: Members
  signature: Uint8Array<ArrayBuffer>
  /** What the signature covers. */
  signed: Uint8Array<ArrayBuffer>
}

/** By its three parts: opaque tokens of Ory Hydra have a dot, too. */
export const isJwt = (token: string): boolean => token.split('.').length === 3

/** @throws {InvalidToken} */
export function decodeJwt(token: string): Jwt {
  if (token.length > TOKEN_LIMIT) {
    throw invalid(`is longer than ${TOKEN_LIMIT} characters`)
  }
  const [head = '', body = '', tail = '', more] = token.split('.', 4)
  const signature = fromBase64Url(tail)
  if (!signature || signature.length === 0 || more !== undefined) {
    throw malformed(
      isJwt(token)
        ? ''
        : 'it is opaque: let the authorization server issue JSON Web Tokens, or set auth_introspection',
    )
  }
  return {
    header: membersOf(head),
    claims: membersOf(body),
    signature,
    signed: utf8(`${head}.${body}`),
  }
}

function membersOf(part: string): Members {
  const bytes = fromBase64Url(part)
  const members = bytes && parseStrictObject(textOf(bytes))
  if (!members) throw malformed()
  return members
}

/** Invalid UTF-8 must not become replacement characters: two names could become the same. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw malformed()
  }
}

function malformed(detail = ''): InvalidToken {
  return invalid('is not a well-formed JSON Web Token', detail)
}

export function stringOf(members: Members, name: string): string | undefined {
  const value = memberOf(members, name)
  return isString(value) ? value : undefined
}
