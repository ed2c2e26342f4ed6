/** The component `auth` as a function from request to response. */
import {
  addressOf,
  BodyTooLarge,
  ConfigurationError,
  contentTypeOk,
  createRequestId,
  failure,
  guarded,
  json,
  jsonIn,
  methodNotAllowed,
  readText,
} from 'ftl-http'
import { answerConsent } from './authorize/consent.ts'
import { answerAuthorize } from './authorize/endpoint.ts'
import { ClientProblem } from './clients/client.ts'
import { register } from './clients/registration.ts'
import { answerGrants, answerGrantsForm } from './grants/endpoint.ts'
import { answerOperator } from './grants/operator.ts'
import { metadata, PATHS } from './metadata.ts'
import { STYLE } from './pages/html.ts'
import { type AuthPlatform, createScope, type Scope } from './scope.ts'
import { createSettings } from './settings.ts'
import { answerToken } from './token/endpoint.ts'
import { OAuthError, oauthFailure, UNCACHED } from './token/oauth-error.ts'
import { answerRevoke } from './token/revoke.ts'
import { publicKeys } from './token/signing-keys.ts'
import { answerCallback } from './upstream/callback.ts'

type Handler = (scope: Scope) => Response | Promise<Response>

const ROUTES: ReadonlyMap<string, Readonly<Record<string, Handler>>> = new Map<
  string,
  Readonly<Record<string, Handler>>
>([
  [PATHS.metadata, { GET: ({ settings }) => json(200, metadata(settings), CACHED) }],
  [PATHS.keys, { GET: answerKeys }],
  [PATHS.authorize, { GET: answerAuthorize }],
  [PATHS.consent, { POST: answerConsent }],
  [PATHS.callback, { GET: answerCallback }],
  [PATHS.grants, { GET: answerGrants, POST: answerGrantsForm }],
  [PATHS.operator, { POST: answerOperator }],
  [PATHS.token, { POST: answerToken }],
  [PATHS.register, { POST: answerRegister }],
  [PATHS.revoke, { POST: answerRevoke }],
  [
    PATHS.style,
    { GET: () => new Response(STYLE, { headers: { 'content-type': 'text/css', ...CACHED } }) },
  ],
])

const CACHED = { 'cache-control': 'public, max-age=300' }

/** Headers of every response. No `cross-origin-opener-policy`: clients that open the page in a window lose it then. */
const SAFETY = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

export async function answer(request: Request, platform: AuthPlatform): Promise<Response> {
  const requestId = createRequestId(request, platform)
  const response = await guarded({
    request,
    requestId,
    lists: createSettings(platform.variables),
    refuse: (status, message) =>
      failure(status, status === 421 ? 'misdirected' : 'forbidden', message),
    answer: () => answerAllowed(request, platform),
    failed: (error) => failed(error, requestId),
  })
  for (const [name, value] of Object.entries(SAFETY)) {
    if (!response.headers.has(name)) response.headers.set(name, value)
  }
  if (request.method !== 'HEAD') return response
  return new Response(null, { status: response.status, headers: response.headers })
}

function answerAllowed(request: Request, platform: AuthPlatform): Response | Promise<Response> {
  const route = ROUTES.get(addressOf(request).pathname)
  if (!route) return failure(404, 'not_found', 'There is nothing at this path.')
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const handler = Object.hasOwn(route, method) ? route[method] : undefined
  if (!handler) return methodNotAllowed(Object.keys(route).join(', ').replace('GET', 'GET, HEAD'))
  return handler(createScope(request, platform))
}

async function answerKeys({ vault, platform }: Scope): Promise<Response> {
  return json(200, { keys: await publicKeys(vault, platform.now()) }, CACHED)
}

const LONGEST_REGISTRATION = 32 * 1024

async function answerRegister({ request, sealer, platform, settings }: Scope): Promise<Response> {
  if (!contentTypeOk(request.headers))
    throw new ClientProblem('invalid_client_metadata', 'content-type must be application/json')
  const body = jsonIn(await readText(request, { limit: LONGEST_REGISTRATION }))
  const context = { sealer, now: platform.now(), hosts: settings.clientHosts }
  const { answer: registered } = await register(body, context)
  return json(201, registered, UNCACHED)
}

function failed(error: unknown, requestId: string): Response {
  if (error instanceof OAuthError) return oauthFailure(error)
  if (error instanceof ClientProblem) {
    return json(400, { error: error.code, error_description: error.message }, UNCACHED)
  }
  if (error instanceof BodyTooLarge)
    return failure(413, 'too_large', `The body has ${error.message}.`)
  if (error instanceof ConfigurationError) return failure(500, 'configuration', error.message)
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  console.error(`[${requestId}] failed: ${name}: ${message}\n${stack}`)
  return failure(500, 'internal', 'The request failed; the log of the component auth says why.')
}
