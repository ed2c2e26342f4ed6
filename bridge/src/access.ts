/**
 * The check of `Host` and `Origin` before any route: the gateway's rules, with the gateway's own page let in.
 *
 * @see the `allowed_hosts` and `allowed_origins` of the gateway's settings for the threats.
 */
import { ConfigurationError, createAccessLists, forbidden, forbiddenMessage } from 'ftl-http'
import { jsonError } from './json-error.ts'
import { type Bindings, gatewayOrigin } from './workerd.ts'

type AccessBindings = Pick<
  Bindings,
  'ALLOWED_HOSTS' | 'ALLOWED_ORIGINS' | 'GATEWAY_URL' | 'PUBLIC_URL'
>

/** The refusal of a request that must not be served, or nothing. Nothing else has been done for it yet. */
export function refusal(
  { headers, url }: Pick<Request, 'headers' | 'url'>,
  env: AccessBindings,
): Response | undefined {
  // Not the address of the request: miniflare lets a client change that by the header MF-Original-URL.
  const address = URL.parse(`http://${headers.get('host') ?? ''}`)
  if (!address) return jsonError(400, 'bad_request', 'The header Host is not a host name.')
  try {
    const found = forbidden(address, originOf(headers, url), listsOf(address, env))
    if (!found) return undefined
    const flag = `--${found.variable.replace('_', '-').replace(/s$/, '')}`
    const remedy = `Add it to the variable ${found.variable.toUpperCase()} of the bridge ("ftl bridge ${flag}").`
    return jsonError(403, 'forbidden', forbiddenMessage(found, remedy))
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return jsonError(500, 'configuration', error.message)
  }
}

/**
 * A sandboxed frame, such as that of an MCP App, has the origin `null`, and so has every such frame of any page. It may
 * open a stream, because that takes the job's id or link, which cannot be guessed, and only reads.
 */
function originOf(headers: Headers, url: string): string | null {
  const origin = headers.get('origin')
  return origin === 'null' && /^\/ws\/stream\//.test(new URL(url).pathname) ? null : origin
}

/** Lets the page that sent the request read the response, once the request was not refused. */
export function allowOrigin({ headers: asked }: Request, headers: Headers): void {
  headers.append('vary', 'Origin')
  const origin = asked.get('origin')
  if (origin !== null) headers.set('access-control-allow-origin', origin)
}

/** @throws {ConfigurationError} when a variable of the operator is unusable. */
function listsOf(called: URL, env: AccessBindings) {
  const { allowedHosts, allowedOrigins } = accessSettings(env.ALLOWED_HOSTS, env.ALLOWED_ORIGINS)
  const ownName = URL.parse(env.PUBLIC_URL ?? '')?.host
  return {
    allowedHosts: ownName ? [...allowedHosts, ownName] : allowedHosts,
    allowedOrigins: [...allowedOrigins, ...gatewayPages(called, env)],
  }
}

/** The application's own page comes from the gateway: under its address, or on its port of the name that was called. */
function gatewayPages(called: URL, env: AccessBindings): string[] {
  const gateway = URL.parse(gatewayOrigin(env))
  if (!gateway) return []
  const port = gateway.port === '' ? '' : `:${gateway.port}`
  return [gateway.host, `${called.hostname}${port}`].flatMap((host) => [
    `http://${host}`,
    `https://${host}`,
  ])
}

/** The lists of the operator, read as the gateway reads its own. */
export function accessSettings(hosts: string | undefined, origins: string | undefined) {
  const variables: Record<string, string | undefined> = {
    allowed_hosts: hosts,
    allowed_origins: origins,
  }
  return createAccessLists({ get: (name) => variables[name] })
}
