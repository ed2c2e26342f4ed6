/** `POST /auth/token`: codes and refresh tokens become access tokens. */
import { isObject, isString } from 'ftl-contract'
import { json, toBase64, urlSafe, utf8 } from 'ftl-http'
import { openCode } from '../authorize/code.ts'
import { resourceFor } from '../authorize/requested.ts'
import { digestOfClient } from '../clients/used-clients.ts'
import { isSameText } from '../crypto/same-text.ts'
import { type Family, use, type User } from '../grants/book.ts'
import { changeBook } from '../grants/books.ts'
import type { Scope } from '../scope.ts'
import { currentUser } from '../users/current-user.ts'
import { accessToken } from './access-token.ts'
import { readForm } from './form.ts'
import { TOKEN_MS } from './key-plan.ts'
import { OAuthError, UNCACHED } from './oauth-error.ts'

type Form = ReadonlyMap<string, string>

/** @throws {OAuthError} */
export async function answerToken(scope: Scope): Promise<Response> {
  const form = await readForm(scope.request)
  // Clients here are public. One that sends a secret expects that it is checked.
  if (scope.request.headers.has('authorization'))
    throw new OAuthError('invalid_client', 'Clients of this server have no secret', 401)
  const clientId = form.get('client_id')
  if (clientId === undefined) throw new OAuthError('invalid_request', 'client_id is missing')
  const type = form.get('grant_type')
  if (type === 'authorization_code') return redeem(scope, form, clientId)
  if (type === 'refresh_token') return refresh(scope, form, clientId)
  throw new OAuthError(
    'unsupported_grant_type',
    'grant_type must be authorization_code or refresh_token',
  )
}

const INVALID_CODE = 'The code is not valid: it was used, has expired, or is for another client'

async function redeem(scope: Scope, form: Form, clientId: string): Promise<Response> {
  const code = await openCode(scope, form.get('code') ?? '')
  const client = await digestOfClient(clientId)
  if (!code || !isSameText(code.client, client)) throw invalidGrant(INVALID_CODE)
  const redirectUri = form.get('redirect_uri')
  if (redirectUri !== undefined && redirectUri !== code.redirectUri)
    throw invalidGrant('redirect_uri is not that of the authorization request')
  const verifier = form.get('code_verifier') ?? ''
  if (
    !/^[\w.~-]{43,128}$/.test(verifier) ||
    !isSameText(await challengeOf(verifier), code.challenge)
  )
    throw invalidGrant('code_verifier does not fit the code_challenge')
  const { sub, family } = code
  return issue(scope, form, { sub, client, clientId, family, generation: 0 }, INVALID_CODE)
}

const INVALID_REFRESH = 'The refresh token is not valid: it was used, revoked, or has expired'

async function refresh(scope: Scope, form: Form, clientId: string): Promise<Response> {
  const token = await openRefresh(scope, form.get('refresh_token') ?? '')
  const client = await digestOfClient(clientId)
  if (!token || !isSameText(token.client, client)) throw invalidGrant(INVALID_REFRESH)
  return issue(scope, form, { ...token, clientId }, INVALID_REFRESH)
}

interface RefreshToken {
  sub: string
  client: string
  family: string
  generation: number
}

/** @returns `undefined` if it was not made here. */
export async function openRefresh(
  { sealer }: Scope,
  text: string,
): Promise<RefreshToken | undefined> {
  const value = await sealer.open('refresh', text)
  if (!isObject(value)) return undefined
  const { sub, client, family, generation } = value
  return isString(sub) && isString(client) && isString(family) && typeof generation === 'number'
    ? { sub, client, family, generation }
    : undefined
}

type Outcome =
  { family: Family; user: User; scopes: string[] } | 'reused' | 'target' | 'scope' | undefined

/** @throws {OAuthError} */
async function issue(
  scope: Scope,
  form: Form,
  { sub, client, clientId, family: id, generation }: RefreshToken & { clientId: string },
  invalid: string,
): Promise<Response> {
  const { vault, platform, sealer, settings } = scope
  // Before the code or token is used up.
  const resource = resourceFor(settings, form.get('resource'))
  const used = await changeBook<Outcome>(vault, sub, (book) => {
    const found = book && use(book, { client, family: id, generation }, platform.now())
    if (!book || !found || found.is === 'unknown') return { result: undefined }
    if (found.is === 'reused') return { book: found.book, result: 'reused' }
    const { family } = found
    if (!isWithin(resource, family.resource, form)) return { result: 'target' }
    const scopes = narrowed(family, form)
    if (scopes.length === 0 && family.scopes.length > 0) return { result: 'scope' }
    const user = currentUser(settings, book.user)
    if (!user) return { result: undefined }
    return { book: found.book, result: { family, user, scopes } }
  })
  if (used === 'target')
    throw new OAuthError('invalid_target', 'resource must be that of the authorization request')
  if (used === 'scope')
    throw new OAuthError('invalid_scope', 'scope has none of those that the user has allowed')
  if (used === 'reused')
    console.warn(`a code or refresh token of ${sub} was used twice: that sign-in has ended`)
  if (used === undefined || used === 'reused') throw invalidGrant(invalid)
  const { family, user, scopes } = used
  const target =
    form.get('resource') === undefined ? family.resource : (resource ?? family.resource)
  const next: RefreshToken = { sub, client, family: id, generation: family.generation }
  return json(
    200,
    {
      access_token: await accessToken(scope, { user, clientId, resource: target, scopes }),
      token_type: 'Bearer',
      expires_in: TOKEN_MS / 1000,
      refresh_token: await sealer.seal('refresh', next),
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    },
    UNCACHED,
  )
}

/** A token for the whole server may become one for a component, but not the other way round. */
function isWithin(wanted: string | undefined, granted: string, form: Form): boolean {
  if (form.get('resource') === undefined) return true
  return wanted !== undefined && (wanted === granted || wanted.startsWith(`${granted}/`))
}

function narrowed({ scopes }: Family, form: Form): string[] {
  const wanted = form.get('grant_type') === 'refresh_token' ? form.get('scope') : undefined
  if (wanted === undefined) return scopes
  const asked = wanted.split(' ')
  return scopes.filter((scope) => asked.includes(scope))
}

async function challengeOf(verifier: string): Promise<string> {
  return urlSafe(toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(verifier)))))
}

const invalidGrant = (message: string) => new OAuthError('invalid_grant', message)
