/**
 * Answers the browser of a user who signs in: the public route `/connect/...`.
 *
 * Everyone can send requests here, also with headers that pose as those of the gateway: none of them is read. What counts
 * is the ticket of the link, a cookie of this browser, and the sealed `state`.
 */
import { AuthenticationError } from 'ftl-client/server-side'
import { BodyTooLarge, readText, sha256 } from 'ftl-http'
import type { ToolContext } from 'ftl-sdk'
import { generateRandomState } from 'oauth4webapi'
import { parseServers } from '../servers.ts'
import { shownCode } from './code.ts'
import {
  type ConsentServer,
  type Consents,
  isConsentServer,
  openConsents,
  redirectUri,
} from './consents.ts'
import { beginFlow, finishFlow, ownerOfState } from './flow.ts'
import { type Link, readTicket } from './link.ts'
import { answerOperator } from './operator.ts'
import { escapeHtml, page, problemPage } from './page.ts'

export const CONNECT = '/connect/'

type Context = Pick<ToolContext, 'platform' | 'component'>

interface Site extends Consents {
  servers: ConsentServer[]
}

export async function answerBrowser(
  request: Request,
  path: string,
  context: Context,
): Promise<Response> {
  const consents = openConsents(context)
  const text = context.platform.variables.get('remote_servers') ?? ''
  const servers = parseServers(text).servers.filter(isConsentServer)
  if (typeof consents === 'string' || servers.length === 0) {
    return problemPage(404, 'No server of this gateway has a sign-in.')
  }
  const site: Site = { ...consents, servers }
  const { method } = request
  const isRead = method === 'GET' || method === 'HEAD'
  try {
    if (path === `${CONNECT}client.json` && isRead) return clientDocument(site)
    if (path === `${CONNECT}callback` && isRead) return await finish(site, request)
    if (path === `${CONNECT}start` && isRead) return await ask(site, request)
    if (path === `${CONNECT}start` && method === 'POST') return await begin(site, request)
    if (path === `${CONNECT}sign-out` && method === 'POST') {
      return await answerOperator(request, site, context)
    }
  } catch (error) {
    if (error instanceof BodyTooLarge) return problemPage(413, 'The form is too long.')
    if (error instanceof AuthenticationError) return problemPage(400, failureOf(error.message))
    console.error('a sign-in failed:', error)
    return problemPage(500, 'The sign-in failed. The log of the gateway has the reason.')
  }
  return problemPage(404, 'There is no such page.')
}

/** What the authorization server or its metadata did, for the user and the operator. */
function failureOf(message: string): string {
  const hint = message.endsWith('cannot be reached')
    ? ' Its host must be in allowed_outbound_hosts of the component.'
    : ''
  return `The sign-in failed: ${message}.${hint}`
}

const OLD_LINK = 'This link is not valid, or it is too old: ask your client for the sign-in again.'

async function linked(site: Site, ticket: string | null) {
  const link = await readTicket(site, ticket ?? '')
  const server = link && serverOf(site, link)
  return link && server && { link, server }
}

function serverOf({ servers }: Site, { server, url }: Omit<Link, 'principal'>) {
  return servers.find((each) => each.name === server && each.url === url)
}

/** Names the user and the server, and goes on only if the user wants to. A link that is only looked at changes nothing. */
async function ask(site: Site, request: Request): Promise<Response> {
  const ticket = new URL(request.url).searchParams.get('ticket')
  const found = await linked(site, ticket)
  if (!found) return problemPage(400, OLD_LINK)
  const { link, server } = found
  const cookie = cookieOf(site, request) ?? generateRandomState()
  const user = escapeHtml(link.principal)
  const gateway = escapeHtml(new URL(site.address).host)
  const host = escapeHtml(new URL(server.url).host)
  return page(
    200,
    `Connect your account at ${server.name}`,
    `<p>Tools of the server <strong>${escapeHtml(server.name)}</strong> (${host}) will use your account there for the user ` +
      `<strong>${user}</strong> of the gateway <strong>${gateway}</strong>.</p>` +
      `<p>Continue only if you are this user, and have asked for this sign-in yourself. If somebody sent you this link, ` +
      `close this page: that person could use your account.</p>` +
      `<form method="post" action="start"><input type="hidden" name="ticket" value="${escapeHtml(ticket ?? '')}">` +
      `<input type="hidden" name="browser" value="${await sha256(cookie)}"><button>Continue</button></form>`,
    { 'set-cookie': cookieHeader(site, cookie) },
  )
}

const LONGEST_FORM = 32 * 1024

async function begin(site: Site, request: Request): Promise<Response> {
  const form = new URLSearchParams(await readText(request, { limit: LONGEST_FORM }))
  const found = await linked(site, form.get('ticket'))
  if (!found) return problemPage(400, OLD_LINK)
  const cookie = cookieOf(site, request)
  // Another site cannot read the page, and its form does not come with this cookie.
  if (cookie === undefined || form.get('browser') !== (await sha256(cookie))) {
    return problemPage(403, 'Open the link again, and allow cookies for this page.')
  }
  const location = await beginFlow(site, found.server, found.link.principal, cookie)
  return new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })
}

async function finish(site: Site, request: Request): Promise<Response> {
  const { searchParams: parameters } = new URL(request.url)
  const found = await ownerOfState(site, parameters.get('state') ?? '')
  const server = found && serverOf(site, found.owner)
  const cookie = cookieOf(site, request)
  if (!found || !server || cookie === undefined) {
    return problemPage(400, 'This answer does not belong to a sign-in of this browser.')
  }
  const { owner, nonce } = found
  const code = await finishFlow(site, server, owner, { parameters, nonce, cookie })
  const user = escapeHtml(owner.principal)
  return page(
    200,
    'Give this code to your client',
    `<p class="code">${shownCode(code)}</p>` +
      `<p>You have signed in at <strong>${escapeHtml(server.name)}</strong>. Give the code to the client or assistant that you ` +
      `use as <strong>${user}</strong>. It is valid for ten minutes.</p>` +
      `<p>Do not give it to other people: they could use your account.</p>`,
  )
}

/** Of this component as an OAuth client, for authorization servers that request it (client id metadata document). */
function clientDocument(site: Site): Response {
  const { origin, host } = new URL(site.address)
  return Response.json({
    client_id: `${site.address}/client.json`,
    client_name: `ftl on ${host}`,
    client_uri: origin,
    redirect_uris: [redirectUri(site)],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
  })
}

function isSecure({ address }: Site): boolean {
  return address.startsWith('https:')
}

/** With the prefix, no other name of the domain can set it. */
function cookieName(site: Site): string {
  return isSecure(site) ? '__Host-ftl-connect' : 'ftl-connect'
}

function cookieHeader(site: Site, value: string): string {
  // Lax, because the authorization server sends the browser back from another site.
  const secure = isSecure(site) ? '; Secure' : ''
  return `${cookieName(site)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=1800${secure}`
}

function cookieOf(site: Site, { headers }: Request): string | undefined {
  const start = `${cookieName(site)}=`
  const found = (headers.get('cookie') ?? '')
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(start))
    ?.slice(start.length)
  return found !== undefined && /^[\w-]{32,128}$/.test(found) ? found : undefined
}
