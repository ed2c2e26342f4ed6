/** Asks the user whether a client may act for them. */
import type { AuthorizationRequest } from '../authorize/authorization-request.ts'
import { isLocalProgram, placeOf } from '../clients/redirect-uri.ts'
import { PATHS } from '../metadata.ts'
import { html, page, type PageOptions } from './html.ts'

export interface Consent {
  request: AuthorizationRequest
  /** The request, sealed for this browser. */
  sealed: string
  problem?: string
}

export function consentPage(consent: Consent, options: PageOptions = {}): Response {
  const { request, sealed, problem } = consent
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
      <dd><strong>${placeOf(redirectUri)}</strong></dd>
      <dt>Address</dt>
      <dd>${redirectUri}</dd>
      <dt>It may</dt>
      <dd>${scopes.length === 0 ? 'call tools as you' : scopes.join(', ')}</dd>
    </dl>
    <form method="post" action="${PATHS.consent}">
      <input type="hidden" name="request" value="${sealed}" />
      <label
        >User
        <input name="user" autocomplete="username" autocapitalize="none" required maxlength="64"
      /></label>
      <label
        >Pass phrase
        <input
          name="pass_phrase"
          type="password"
          autocomplete="current-password"
          required
          maxlength="1024"
      /></label>
      <button name="decision" value="allow">Allow</button>
      <button name="decision" value="deny" formnovalidate>Deny</button>
    </form>`
  return page('Allow access?', body, options)
}

/**
 * The user has decided, and goes back to the client. Not by a redirect: browsers let a form lead only to what its page
 * names, also by the redirects that follow, and where the client sends the user next is not known.
 *
 * @param address of the client, with the answer.
 */
export function returnPage(title: string, address: string): Response {
  const place = placeOf(address)
  const advice = isLocalProgram(address) ? html`<p>Then you can close this page.</p>` : ''
  return page(
    title,
    html`<p><a href="${address}" rel="noreferrer">Return to ${place}</a></p>
      ${advice}`,
    { next: address, headers: { 'referrer-policy': 'no-referrer' } },
  )
}

/** Nothing is sent to the client: its address is not known, or not trusted without the user. */
export function problemPage(
  message: string,
  { status = 400, back }: { status?: number; back?: { address: string; place: string } } = {},
): Response {
  const link = back
    ? html`<p><a href="${back.address}" rel="noreferrer">Return to ${back.place}</a></p>`
    : ''
  return page(
    'This sign-in cannot go on',
    html`<p class="problem">${message}</p>
      ${link}`,
    { status },
  )
}
