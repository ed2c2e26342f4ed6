/** The code that a client redeems. */
import { isObject, isString } from 'ftl-contract'
import { digestOfClient, keepClient } from '../clients/used-clients.ts'
import { placeOf } from '../clients/redirect-uri.ts'
import { randomText } from '../crypto/random.ts'
import { allow, CODE_MS, type User } from '../grants/book.ts'
import { changeBook } from '../grants/books.ts'
import type { Scope } from '../scope.ts'
import type { AuthorizationRequest } from './authorization-request.ts'

export interface Code {
  sub: string
  /** Digest of the client's id. */
  client: string
  family: string
  redirectUri: string
  challenge: string
}

/** The user has allowed the client. */
export async function createCode(
  scope: Scope,
  user: User,
  { clientId, clientName: name, redirectUri, challenge, scopes, resource }: AuthorizationRequest,
): Promise<string> {
  const { sealer, vault, platform, settings } = scope
  const now = platform.now()
  const client = await digestOfClient(clientId)
  const family = { id: randomText(12), scopes, resource }
  await keepClient(vault, clientId, now)
  await changeBook(vault, user.sub, (book) => ({
    book: allow(
      { grants: [], ...book, user },
      { client, name, place: placeOf(redirectUri, settings.issuer), family },
      now,
    ),
    result: undefined,
  }))
  const code: Code = { sub: user.sub, client, family: family.id, redirectUri, challenge }
  return sealer.seal('code', { ...code, until: now + CODE_MS })
}

/**
 * @returns `undefined` if it was not made here.
 *
 * An expired one is returned: the family of a code that was redeemed before has to end. One that was not has none.
 */
export async function openCode({ sealer }: Scope, text: string): Promise<Code | undefined> {
  const value = await sealer.open('code', text)
  if (!isObject(value)) return undefined
  const { sub, client, family, redirectUri, challenge } = value
  return isString(sub) &&
    isString(client) &&
    isString(family) &&
    isString(redirectUri) &&
    isString(challenge)
    ? { sub, client, family, redirectUri, challenge }
    : undefined
}
