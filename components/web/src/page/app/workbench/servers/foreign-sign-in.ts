/**
 * Signs the user in for another server, by OAuth in a window, with the same client as the page's own sign-in.
 *
 * The server chooses the authorization server, and gets the token. So a hostile one could choose that of this gateway, to
 * get a token that is valid here: such a sign-in is refused, and the gateway's own client id is never used.
 */
import { coversServer, resourceMetadataAddresses } from 'ftl-client/oauth'
import { newKey } from '../../jobs/call.ts'
import { plainWords } from '../../sign-in/challenge.ts'
import { openWindow, ownAddresses, receiveAnswer } from '../../sign-in/hand-over.ts'
import { toResource } from '../../sign-in/resource.ts'
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
/** Authorization servers and scopes that are read of what a server names. */
const MOST_NAMES = 20
/** Client ids of registrations in this tab. */
const registered = new Map<string, string>()
/** The newest attempt; the answer to an earlier one is not used. */
let newest = ''

/** Asks the server where to get a token (RFC 9728). What goes wrong is part of the attempt. */
export async function findIssuers(server: Server, challenge: Refusal['challenge']): Promise<void> {
  const url = new URL(server.url)
  // A browser hides the header of the response if the server does not expose it.
  const known = resourceMetadataAddresses(url).map(({ href }) => href)
  for (const address of new Set([challenge?.metadata ?? '', ...known])) {
    const found = address === '' ? undefined : await readMetadata(address)
    if (!found) continue
    const { resource, servers, scopes } = found
    if (!coversServer(resource, url)) {
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
    const { resource, servers, scopes } = toResource(await response.json())
    const usable = servers.slice(0, MOST_NAMES).filter((one) => originOf(one) !== '')
    return { resource, servers: usable, scopes: scopes.slice(0, MOST_NAMES) }
  } catch {
    return undefined
  }
}

const ALONE: RequestInit = { credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error' }

function originOf(address: string): string {
  try {
    return new URL(address).origin
  } catch {
    return ''
  }
}

/** Called while the user clicks. */
export async function signInTo(server: Server, issuer: string, onDone: () => void): Promise<void> {
  const popup = openWindow()
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
      ...ownAddresses(),
      configured: {},
      registered: registered.get(issuer),
      keep: (clientId) => void registered.set(issuer, clientId),
    })
    // A hostile authorization server may lead on to that of this gateway, and get its answer.
    if ((await ownOrigins())?.has(originOf(url)) !== false) throw new Error(OWN_ISSUER)
    if (newest !== mine) return popup.close()
    const query = new Promise<string>((resolve) => {
      receiveAnswer(attempt.state, (answer) => {
        resolve(answer)
        return true
      })
    })
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

function note({ id }: Server, change: Partial<Attempt>): void {
  attempts.set((all) => new Map(all).set(id, { ...(all.get(id) ?? NOTHING), ...change }))
}
