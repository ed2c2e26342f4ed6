/** The feature that finds the caller of a request, and refuses a request without one. */
import type { Feature } from '../feature.ts'
import { identify } from '../scope.ts'
import { authenticate, isConfigured, isOpenPath, requireSafeKey } from './authenticate.ts'
import { keepToken } from './caller-token.ts'
import { challengeHeaders } from './challenge.ts'
import { refusalOf } from './deny-list.ts'
import { dpopVariables } from './dpop.ts'
import { authVariables } from './auth-settings.ts'
import { privateAnswer } from './private-answer.ts'
import { reported } from './report-principal.ts'
import { resourceMetadata } from './resource-metadata.ts'

/** Set by `ftl build` for an application that does not pass `auth_dpop` to its gateway. */
declare const BUILT_WITHOUT_DPOP: true | undefined
/** Set by `ftl build` for an application whose gateway has no variable for it. */
declare const BUILT_WITHOUT_CALLER_TOKEN: true | undefined

export const authentication: Feature = {
  name: 'authentication',
  settings:
    typeof BUILT_WITHOUT_DPOP === 'undefined'
      ? { ...authVariables, ...dpopVariables }
      : authVariables,
  isOpen: isOpenPath,
  challenge: (request, { settings }, scopes) =>
    challengeHeaders(request, settings, {
      status: 403,
      error: 'insufficient_scope',
      message: 'The token does not have all scopes that this operation needs',
      scopes,
    }),
  admit({ settings }, _, caller) {
    return refusalOf(caller, settings) && 'revoked'
  },
  checkKey: ({ settings }) => requireSafeKey(settings),
  handle(request, scope, next) {
    const { settings, hooks } = scope
    // Nothing more runs for a gateway without authentication: its three variables are read, and that is all.
    if (scope.isOpen || !isConfigured(settings)) {
      return resourceMetadata(request, settings) ?? next()
    }
    return authenticate(request, scope).then(async (caller) => {
      if (caller instanceof Response) {
        hooks.noted(scope, { kind: 'unauthenticated', request, response: caller })
        return privateAnswer(caller, settings)
      }
      identify(scope, caller)
      if (typeof BUILT_WITHOUT_CALLER_TOKEN === 'undefined') keepToken(scope, request)
      return privateAnswer(reported(await next(), scope), settings)
    })
  },
}
