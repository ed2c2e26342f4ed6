/**
 * `POST /auth/operator`: the operator lists and removes what users have allowed (`ftl auth grants`, `ftl auth revoke`). The
 * request is sealed with `auth_server_key`, which only the operator has, and so is the answer.
 */
import { isObject, isString } from 'ftl-contract'
import { BodyTooLarge, failure, readText } from 'ftl-http'
import type { Scope } from '../scope.ts'
import { UNCACHED } from '../token/oauth-error.ts'
import { type Book, currentGrants, withoutClient } from './book.ts'
import { allBooks, changeBook } from './books.ts'

/** A request that was copied is of no use later. */
const LONGEST_MS = 10 * 60_000
const LIMIT = 4 * 1024

export async function answerOperator(scope: Scope): Promise<Response> {
  const { request, sealer, platform } = scope
  const now = platform.now()
  const sealed = await bodyOf(request)
  const asked = await sealer.open('operator', sealed, 'request')
  const until = isObject(asked) ? asked['until'] : undefined
  if (!isObject(asked) || typeof until !== 'number' || until <= now || until > now + LONGEST_MS)
    return failure(
      403,
      'forbidden',
      'The request was not sealed with auth_server_key, or has expired.',
    )
  // Of this request only: who is between the two cannot return an earlier answer.
  const answer = await sealer.seal('operator', await perform(scope, asked), `answer ${sealed}`)
  return new Response(answer, { headers: { 'content-type': 'text/plain', ...UNCACHED } })
}

async function bodyOf(request: Request): Promise<string> {
  try {
    return await readText(request, { limit: LIMIT })
  } catch (error) {
    if (error instanceof BodyTooLarge) return ''
    throw error
  }
}

async function perform(scope: Scope, asked: Readonly<Record<string, unknown>>): Promise<object> {
  const { vault, platform } = scope
  const now = platform.now()
  const { user, client, revoke } = asked
  if (revoke !== true) {
    const { books, isWhole } = await allBooks(vault)
    const wanted = books.filter(
      ({ user: { sub, name } }) => !isString(user) || [sub, name].includes(user),
    )
    return { users: wanted.map((book) => listed(book, now)), isWhole }
  }
  const gone = await changeBook(vault, isString(user) ? user : '', (book) => {
    const grants = book ? currentGrants(book, now) : []
    const result = grants.filter((grant) => !isString(client) || grant.client === client)
    const rest = book && result.reduce((left, grant) => withoutClient(left, grant.client), book)
    return { ...(rest && { book: rest }), result }
  })
  return { removed: gone.map(({ client: id, name, place }) => ({ client: id, name, place })) }
}

function listed(book: Book, now: number): object {
  const { sub, name, groups } = book.user
  const grants = currentGrants(book, now).map(({ families, ...grant }) => ({
    ...grant,
    signIns: families.map(({ scopes, resource, until }) => ({ scopes, resource, until })),
  }))
  return { sub, name, groups, grants }
}
