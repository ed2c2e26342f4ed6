/** Asks the user whether a client may act for them. */
import type { AuthorizationRequest } from '../authorize/authorization-request.ts'
import { isLocalProgram, placeOf } from '../clients/redirect-uri.ts'
import { PATHS } from '../metadata.ts'
import type { Ways } from '../users/ways.ts'
import { html, page, type PageOptions } from './html.ts'
import { passPhraseFields } from './sign-in-fields.ts'

export interface Consent {
  /** This server. */
  issuer: string
  request: AuthorizationRequest
  /** The request, sealed for this browser. */
  sealed: string
  ways: Ways
  problem?: string
}

export function consentPage(consent: Consent, options: PageOptions = {}): Response {
  const { issuer, request, sealed, ways, problem } = consent
  const { clientName, clientId, redirectUri, scopes, resource } = request
  const document = clientId.startsWith('https://') ? new URL(clientId).host : undefined
  const body = html` ${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
    <p>
      A program asks to use the tools of <strong>${resource}</strong> as you. Allow it only if you
      have just started this yourself.
    </p>
    <dl>
      <dt>It calls itself</dt>
      <dd>${clientName === '' ? 'nothing' : clientName}</dd>
      ${
        document === undefined
          ? html`<dt>Who it is</dt>
              <dd>not verified</dd>`
          : html`<dt>Described by</dt>
              <dd>${document}</dd>`
      }
      <dt>You return to</dt>
      <dd><strong>${placeOf(redirectUri, issuer)}</strong></dd>
      <dt>Address</dt>
      <dd>${redirectUri}</dd>
      <dt>It may</dt>
      <dd>${scopes.length === 0 ? 'call tools as you' : scopes.join(', ')}</dd>
    </dl>
    <form method="post" action="${PATHS.consent}">
      <input type="hidden" name="request" value="${sealed}" />
      ${
        ways.hasPassPhrases
          ? html`${passPhraseFields()} <button name="decision" value="allow">Allow</button>`
          : ''
      }
      ${
        ways.upstream === undefined
          ? ''
          : html`<button name="decision" value="upstream" formnovalidate>
              Allow, and sign in with ${ways.upstream}
            </button>`
      }
      <button name="decision" value="deny" formnovalidate>Deny</button>
    </form>`
  return page('Allow access?', body, options)
}

/**
 * The user has decided, and goes back to the client. Not by a redirect: browsers let a form lead only to what its page
 * names, also by the redirects that follow, and where the client sends the user next is not known.
 *
 * @param address of the client, with the answer. @param issuer this server.
 */
export function returnPage(
  title: string,
  address: string,
  issuer: string,
  cookies: readonly string[] = [],
): Response {
  const place = placeOf(address, issuer)
  const advice = isLocalProgram(address) ? html`<p>Then you can close this page.</p>` : ''
  return page(
    title,
    html`<p><a href="${address}" rel="noreferrer">Return to ${place}</a></p>
      ${advice}`,
    { next: address, headers: { 'referrer-policy': 'no-referrer' }, cookies },
  )
}

/** The browser goes on to another page, or to the upstream server. Not by a redirect: see {@link returnPage}. */
export function forwardPage(place: string, address: string, cookies: readonly string[]): Response {
  return page(
    'One moment',
    html`<p><a href="${address}" rel="noreferrer">Go on to ${place}</a></p>`,
    { next: address, headers: { 'referrer-policy': 'no-referrer' }, cookies },
  )
}

export interface ProblemOptions {
  /** @default 400 */
  status?: number
  /** A link to the client. */
  back?: { address: string; place: string }
  cookies?: readonly string[]
  headers?: Readonly<Record<string, string>>
}

/** Nothing is sent to the client: its address is not known, or not trusted without the user. */
export function problemPage(message: string, options: ProblemOptions = {}): Response {
  const { status = 400, back, cookies = [], headers = {} } = options
  const link = back
    ? html`<p><a href="${back.address}" rel="noreferrer">Return to ${back.place}</a></p>`
    : ''
  return page(
    'This sign-in cannot go on',
    html`<p class="problem">${message}</p>
      ${link}`,
    { status, cookies, headers },
  )
}
