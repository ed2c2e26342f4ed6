/**
 * Signs the user in for another server, by OAuth in a window, with the same client as the page's own sign-in.
 *
 * The server chooses the authorization server, and gets the token. So a hostile one could choose that of this gateway, to
 * get a token that is valid here: such a sign-in is refused, and the gateway's own client id is never used.
 */
import { newKey } from '../../jobs/call.ts'
import { asArray, asRecord, text } from '../../net/api.ts'
import { plainWords } from '../../sign-in/challenge.ts'
import { channelOf, TAKEN } from '../../sign-in/hand-over.ts'
import { createStore } from '../../store.ts'
import { allowedServers, readAddress } from './address.ts'
import { changeHeader, type Server } from './known-servers.ts'
import { ownOrigins } from './own-origins.ts'
import type { Refusal } from './refusals.ts'

interface Attempt {
  /** Where the user can sign in; `undefined` until it was looked for. */
  issuers?: readonly string[]
  resource: string
  scopes: readonly string[]
  isWaiting: boolean
  problem: string
}

/** By id of the server. */
export const attempts = createStore<ReadonlyMap<string, Attempt>>(new Map())

const NOTHING: Attempt = { resource: '', scopes: [], isWaiting: false, problem: '' }
const REDIRECT = '/app/oauth/redirect'
const METADATA = '/app/oauth/client.json'
/** Client ids of registrations in this tab. */
const registered = new Map<string, string>()
/** The newest attempt; the answer to an earlier one is not used. */
let newest = ''

/** Asks the server where to get a token (RFC 9728). What goes wrong is part of the attempt. */
export async function findIssuers(server: Server, challenge: Refusal['challenge']): Promise<void> {
  const url = new URL(server.url)
  const path = url.pathname === '/' ? '' : url.pathname
  const well = `${url.origin}/.well-known/oauth-protected-resource`
  // A browser hides the header of the response if the server does not expose it.
  const addresses = [...new Set([challenge?.metadata ?? '', `${well}${path}`, well])]
  for (const address of addresses) {
    const found = address === '' ? undefined : await readMetadata(address)
    if (!found) continue
    const { resource, servers, scopes } = found
    if (!isAbout(resource, url)) {
      return note(server, {
        problem: 'The server describes itself as another one, so its sign-in is not used.',
      })
    }
    const own = await ownOrigins()
    if (!own) return note(server, { issuers: [], problem: UNKNOWN_OWN })
    const issuers = servers.filter((issuer) => !own.has(originOf(issuer)))
    const asked = challenge?.scope ? challenge.scope.split(' ') : scopes
    const problem =
      issuers.length > 0
        ? ''
        : servers.length > 0
          ? OWN_ISSUER
          : 'The server names no authorization server.'
    return note(server, { issuers, resource, scopes: asked, problem })
  }
  note(server, {
    issuers: [],
    problem:
      'The server does not say where to sign in, or does not let pages read it. Enter a token.',
  })
}

const OWN_ISSUER =
  'Users of this gateway sign in at the same authorization server. The page does not get a token there for another ' +
  'server, because the token could be valid here. Enter a token that was made for that server.'

const UNKNOWN_OWN =
  'The page could not find out where users of this gateway sign in, so it signs in nowhere else. Try again, or enter a token.'

async function readMetadata(address: string) {
  const found = readAddress(address, { allowed: allowedServers(), page: new URL(location.href) })
  if ('problem' in found) return undefined
  try {
    const response = await fetch(found.url, ALONE)
    if (!response.ok) return undefined
    const body = asRecord(await response.json())
    const strings = (value: unknown) =>
      asArray(value)
        .filter((one): one is string => typeof one === 'string')
        .slice(0, 20)
    const servers = strings(body['authorization_servers']).filter((one) => originOf(one) !== '')
    const resource = text(body['resource']) ?? ''
    return { resource, servers, scopes: strings(body['scopes_supported']) }
  } catch {
    return undefined
  }
}

const ALONE: RequestInit = { credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error' }

/** The resource is this address, or a folder that it is in. */
function isAbout(resource: string, url: URL): boolean {
  try {
    const { origin, pathname } = new URL(resource)
    return origin === url.origin && `${url.pathname}/`.startsWith(pathname.replace(/\/*$/, '/'))
  } catch {
    return false
  }
}

function originOf(address: string): string {
  try {
    return new URL(address).origin
  } catch {
    return ''
  }
}

/** Called while the user clicks: otherwise browsers open no window. */
export async function signInTo(server: Server, issuer: string, onDone: () => void): Promise<void> {
  const popup = window.open(REDIRECT, '_blank', 'popup,width=520,height=720')
  if (!popup) {
    return note(server, {
      problem: 'The browser has blocked the window for the sign-in. Allow it, or enter a token.',
    })
  }
  const mine = newKey()
  newest = mine
  note(server, { isWaiting: true, problem: '' })
  try {
    const checked = readAddress(issuer, { allowed: allowedServers(), page: new URL(location.href) })
    if ('problem' in checked) throw new Error(checked.problem)
    const { begin, finish } = await import('../../sign-in/oauth.ts')
    const { resource, scopes } = attempts.get().get(server.id) ?? NOTHING
    const { url, attempt } = await begin({
      issuer,
      resource,
      scopes,
      redirectUri: location.origin + REDIRECT,
      configured: {},
      metadataUrl: location.protocol === 'https:' ? location.origin + METADATA : undefined,
      registered: registered.get(issuer),
      keep: (clientId) => void registered.set(issuer, clientId),
    })
    // A hostile authorization server may lead on to that of this gateway, and get its answer.
    if ((await ownOrigins())?.has(originOf(url)) !== false) throw new Error(OWN_ISSUER)
    if (newest !== mine) return popup.close()
    const query = answerOf(attempt.state)
    popup.location.replace(url)
    const { token } = await finish(attempt, await query)
    if (newest !== mine) return
    changeHeader(server.id, 'Authorization', `Bearer ${token}`)
    note(server, { isWaiting: false })
    onDone()
  } catch (error) {
    popup.close()
    const message = error instanceof Error ? plainWords(error.message) : ''
    note(server, {
      isWaiting: false,
      problem: message || 'The sign-in did not succeed. Try again.',
    })
  }
}

/** The page that the user comes back to sends it over a channel that only pages of this origin can use. */
function answerOf(state: string): Promise<string> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(channelOf(state))
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'string') return
      channel.postMessage(TAKEN)
      channel.close()
      resolve(data)
    }
  })
}

function note({ id }: Server, change: Partial<Attempt>): void {
  attempts.set((all) => new Map(all).set(id, { ...(all.get(id) ?? NOTHING), ...change }))
}
