/**
 * Responses to requests without sufficient credentials.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#error-handling
 */
import { refuse } from '../access/mcp-access.ts'
import type { Settings } from '../settings.ts'
import { metadataUrl, resourcesOf } from './audience.ts'
import { dpopChallenge } from './dpop.ts'

/** Set by `ftl build` for an application that does not pass `auth_dpop` to its gateway. */
declare const BUILT_WITHOUT_DPOP: true | undefined

export interface Challenge {
  status: 400 | 401 | 403
  /** Of RFC 6750; absent if the request had no credentials. */
  error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope'
  /** For people: a sentence without a full stop, quotes and backslashes. */
  message: string
  /** Scopes that this operation needs besides those that every request needs. */
  scopes?: readonly string[]
}

/** @throws {ConfigurationError} */
export function challenge(request: Request, settings: Settings, asked: Challenge): Response {
  const { status, error, message } = asked
  const headers = challengeHeaders(request, settings, asked)
  return refuse(request, status, error ?? 'unauthorized', `${message}.`, headers)
}

/** Scopes that clients should request: those that every request needs, and those that an issuer asks for. */
export function advertisedScopes({ authScopes, authIssuers }: Settings): string[] {
  return [...new Set([...authScopes, ...authIssuers.list.flatMap(({ scopes = [] }) => scopes)])]
}

/** @throws {ConfigurationError} */
export function challengeHeaders(
  request: Request,
  settings: Settings,
  { status, error, message, scopes: own = [] }: Challenge,
): Record<string, string> {
  const scopes = [...new Set([...advertisedScopes(settings), ...own])]
  const parameters = [
    ...(error ? [['error', error] as const, ['error_description', message] as const] : []),
    ...(scopes.length > 0 && status !== 400 ? [['scope', scopes.join(' ')] as const] : []),
    ...(settings.authIssuers.list.length > 0
      ? [['resource_metadata', metadataUrl(resourcesOf(request, settings)[0])] as const]
      : [['realm', 'ftl-mcp-gateway'] as const]),
  ]
  const text = parameters.map(([name, value]) => `${name}="${value}"`).join(', ')
  const more = typeof BUILT_WITHOUT_DPOP === 'undefined' ? dpopChallenge(settings, message) : ''
  return { 'www-authenticate': `Bearer ${text}${more}`, 'cache-control': 'no-store' }
}
