import {
  allowInsecureRequests,
  customFetch,
  protectedResourceRequest,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi'
import type { Challenge } from '../errors.ts'
import { remoteText } from './remote-text.ts'

/** RFC 6749, section 3.3: printable characters without quote and backslash. */
const SCOPES = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/
const LONGEST_SCOPES = 4096

/** What the response demands with the scheme `Bearer`; empty where it has no such challenge. */
export async function challengeOf(response: Response): Promise<Challenge> {
  const bearer = (await challengesOf(response)).find(({ scheme }) => scheme === 'bearer')
  const { resource_metadata: resourceMetadata, scope, error } = bearer?.parameters ?? {}
  const { error_description: description } = bearer?.parameters ?? {}
  return {
    ...(resourceMetadata !== undefined && { resourceMetadata }),
    ...(isScopes(scope) && { scope }),
    ...(error !== undefined && { error }),
    ...(description !== undefined && { description: remoteText(description) }),
  }
}

/** Why a server refuses a token: its own words, where it has some. */
export function refusedToken(host: string, { description }: Challenge): string {
  const why = description === undefined ? '' : `: ${description.replace(/[.:]$/, '')}`
  return `${host} does not accept the token${why}`
}

/** Uses the parser of oauth4webapi, which is only exported as part of a function that reads a whole response. */
async function challengesOf(response: Response) {
  // Without its body, which the caller may still read.
  const { status, headers } = response
  const bare = new Response(null, { status, headers })
  try {
    await protectedResourceRequest('-', 'GET', new URL('http://localhost'), undefined, undefined, {
      [customFetch]: async () => bare,
      [allowInsecureRequests]: true,
    })
  } catch (error) {
    if (error instanceof WWWAuthenticateChallengeError) return error.cause
    throw error
  }
  return []
}

export function isScopes(scope: string | undefined): scope is string {
  return scope !== undefined && scope.length <= LONGEST_SCOPES && SCOPES.test(scope)
}

/** All scopes of both, each once. */
export function scopeUnion(...scopes: (string | undefined)[]): string | undefined {
  const all = new Set(scopes.flatMap((scope) => scope?.split(' ') ?? []).filter(Boolean))
  return all.size === 0 ? undefined : [...all].join(' ')
}
