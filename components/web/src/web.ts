/** The component `web` as a function from request to response. */
import {
  type AccessLists,
  accessVariables,
  type BridgeAddress,
  bridgeVariable,
  ConfigurationError,
  createRequestId,
  defineSettings,
  failure,
  guarded,
  json,
  methodNotAllowed,
} from 'ftl-http'
import type { Platform } from 'ftl-platform'
import { allowedServers, type ServerSettings, serverVariables } from './mcp-servers.ts'
import {
  clientMetadata,
  METADATA_PATH,
  REDIRECT_PATH,
  type SignInSettings,
  signInVariables,
} from './sign-in.ts'
import { SANDBOX_PATH } from './apps/sandbox.ts'
import type { Site } from './site.ts'

/** The part of the platform that is used: the component makes no outbound requests and stores nothing. */
export type WebPlatform = Pick<Platform, 'variables' | 'randomUUID'>

/** The documents that are served. */
export interface Sites {
  page: Site
  /** Where an authorization server sends a user back. */
  redirect: Site
  /** Shows MCP Apps. */
  sandbox: (request: Request, nonce: string) => Response
}

interface Settings extends AccessLists, SignInSettings, ServerSettings {
  /** Where the page finds the WebSocket bridge. */
  readonly bridge: BridgeAddress
}

const createSettings = defineSettings<Settings>({
  ...accessVariables,
  ...signInVariables,
  ...serverVariables,
  bridge: bridgeVariable,
})

/** Headers of every response, also of refusals. */
const SAFETY = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

const METHODS = 'GET, HEAD'

export function createWeb(sites: Sites) {
  return async (request: Request, platform: WebPlatform): Promise<Response> => {
    const settings = createSettings(platform.variables)
    const response = await guarded({
      request,
      requestId: createRequestId(request, platform),
      lists: settings,
      refuse: (status, message) =>
        failure(status, status === 421 ? 'misdirected' : 'forbidden', message),
      answer: async () => answer(sites, request, settings, platform),
      failed(error) {
        if (error instanceof ConfigurationError) return failure(500, 'configuration', error.message)
        console.error(error instanceof Error ? error.stack : error)
        return failure(500, 'internal', 'The page cannot be shown; the log says why.')
      },
    })
    for (const [name, value] of Object.entries(SAFETY)) {
      // The page may frame the sandbox.
      if (!response.headers.has(name)) response.headers.set(name, value)
    }
    if (request.method !== 'HEAD') return response
    return new Response(null, { status: response.status, headers: response.headers })
  }
}

function answer(
  { page, redirect, sandbox }: Sites,
  request: Request,
  settings: Settings,
  platform: WebPlatform,
): Response {
  if (request.method === 'OPTIONS') {
    return new Response(null, { status: 204, headers: { allow: `${METHODS}, OPTIONS` } })
  }
  if (!['GET', 'HEAD'].includes(request.method)) {
    return methodNotAllowed(METHODS)
  }
  const url = new URL(request.url)
  const { pathname, protocol, hostname } = url
  if (pathname === '/') {
    const { bridge } = settings
    const scheme = protocol === 'https:' ? 'wss' : 'ws'
    const address =
      typeof bridge === 'string'
        ? ''
        : 'url' in bridge
          ? bridge.url
          : `${scheme}://${hostname}:${bridge.port}`
    const { clients, issuerOrigins, pageOrigins } = settings
    return page.document(request, {
      bridge: address,
      clients,
      origins: [...issuerOrigins, ...pageOrigins],
      servers: allowedServers(settings, url),
    })
  }
  if (pathname === REDIRECT_PATH) return redirect.document(request)
  if (pathname === SANDBOX_PATH) return sandbox(request, platform.randomUUID())
  if (pathname === METADATA_PATH) return describeClient(request)
  if (/^\/app\/?$/.test(pathname)) {
    return new Response(null, { status: 308, headers: { location: '/' } })
  }
  // The page's own view of the API, as a part of the same page: a path would need the page's files a second time.
  if (pathname === '/docs') {
    return new Response(null, { status: 302, headers: { location: '/#/api' } })
  }
  const file = page.file(request, pathname) ?? redirect.file(request, pathname)
  return file ?? failure(404, 'not_found', `There is nothing at ${pathname}. The page is at /.`)
}

function describeClient(request: Request): Response {
  const metadata = clientMetadata(new URL(request.url))
  if (metadata) return json(200, metadata, { 'cache-control': 'no-cache' })
  const message = 'An authorization server cannot request this document from this machine.'
  return failure(404, 'not_found', message)
}
