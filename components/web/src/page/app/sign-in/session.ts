/**
 * Who uses the page. Tokens and keys are held by this module alone, in memory: no other part of the page, no storage and
 * no address has them, and a reload forgets them.
 */
import { createStore } from '../store.ts'
import { sendWithProgress } from './send-with-progress.ts'
import { type Challenge, plainWords, readChallenge } from './challenge.ts'
import type { Grant } from './oauth.ts'
import { type Issuers, readIssuers } from './resource.ts'

export interface Session extends Issuers {
  /**
   * `asking`: no answer has come yet. `open`: the server has not asked who this is. `required` and `expired`: it has, the second time about a token that
   * was valid. `waiting`: the user is signing in elsewhere.
   */
  state: 'asking' | 'open' | 'required' | 'expired' | 'waiting' | 'signed-in'
  /** Of the user, where signed in. */
  name: string
  /** Where the user has signed in; empty for an API key. */
  at: string
  /** What went wrong at the last attempt. */
  problem: string
  /** Whether the browser opens no window for the sign-in. */
  isBlocked: boolean
  /** Scopes that the server requires. */
  scopes: readonly string[]
}

export const session = createStore<Session>({
  state: 'asking',
  name: '',
  at: '',
  problem: '',
  isBlocked: false,
  scopes: [],
  issuers: [],
  elsewhere: '',
})

/** Given by sign-in: the token, and what renews it. */
let token: string | undefined
let grant: Grant | undefined
let renewing: Promise<boolean> | undefined

export function isSignedIn(): boolean {
  return token !== undefined
}

/** Whether the user has to sign in before a request can succeed. */
export function needsSignIn({ state }: Session): boolean {
  return state === 'required' || state === 'expired' || state === 'waiting'
}

export function changeSession(change: Partial<Session>): void {
  session.set((before) => ({ ...before, ...change }))
}

export interface Sending extends RequestInit {
  /** Receives how much of the body has been sent, from 0 to 1. */
  onSent?: (share: number) => void
}

/**
 * Sends a request as the user. Where the server requires a sign-in, a token is renewed once; then the page asks the user.
 *
 * @param waits until the user has signed in, then repeats the request: for what a user has asked for, so that nothing
 * that was typed is lost. Otherwise the refusal is the answer.
 */
export async function send(
  path: string,
  { onSent, ...init }: Sending,
  waits: boolean,
): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const used = token
    const headers = new Headers(init.headers)
    if (used !== undefined) headers.set('authorization', `Bearer ${used}`)
    const sent = { ...init, headers, credentials: 'same-origin' as const }
    const response = await (onSent ? sendWithProgress(path, sent, onSent) : fetch(path, sent))
    const challenge = readChallenge(response)
    if (!challenge && session.get().state === 'asking') changeSession({ state: 'open' })
    if (!challenge || tries > 3) return response
    // Another request has renewed the token meanwhile.
    if (used !== token) continue
    if (challenge.error === 'insufficient_scope' && !mayGetMore(challenge)) return response
    if (response.status === 401 && used !== undefined && (await renewed())) continue
    await demand(challenge, used !== undefined && response.status === 401)
    if (!waits || !(await untilSignedIn(init.signal ?? undefined))) return response
  }
}

/** Scopes that the server has refused this user although they were asked for are not asked for again. */
function mayGetMore({ scopes }: Challenge): boolean {
  return grant !== undefined && scopes.some((scope) => !grant?.asked.includes(scope))
}

async function renewed(): Promise<boolean> {
  const { renew } = grant ?? {}
  if (!renew) return false
  renewing ??= renew()
    .then((next) => {
      grant = next
      token = next.token
      return true
    })
    .catch(() => false)
    .finally(() => (renewing = undefined))
  return renewing
}

async function demand({ hasIssuers, scopes }: Challenge, hasExpired: boolean): Promise<void> {
  const isMore = token !== undefined && !hasExpired
  const asked = grant?.asked ?? []
  token = undefined
  grant = undefined
  const found = hasIssuers ? await readIssuers() : { issuers: [], elsewhere: '', problem: '' }
  const { state, problem, scopes: known } = session.get()
  // Another request may have asked the user meanwhile, and the user may have answered.
  if (state === 'waiting' || isSignedIn()) return
  const isAsked = needsSignIn(session.get())
  changeSession({
    issuers: found.issuers,
    elsewhere: found.elsewhere,
    problem: isMore ? MORE : found.problem || (isAsked ? problem : ''),
    scopes: hasIssuers ? [...new Set([...known, ...asked, ...scopes])] : [],
    state: isAsked ? state : hasExpired ? 'expired' : 'required',
  })
}

const MORE = 'This needs permissions that your sign-in does not include.'

function untilSignedIn(signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (isIn: boolean) => {
      stop()
      signal?.removeEventListener('abort', leave)
      resolve(isIn)
    }
    const leave = () => done(false)
    const stop = session.subscribe(() => isSignedIn() && done(true))
    signal?.addEventListener('abort', leave)
    if (signal?.aborted) leave()
  })
}

/** Resolves when the user has signed in, or need not. */
export async function untilAllowed(): Promise<void> {
  if (needsSignIn(session.get())) await untilSignedIn()
}

/** Uses what a sign-in gave. @returns what is wrong with it; empty if it is accepted. */
export async function adopt(given: Grant | { token: string }, at: string): Promise<string> {
  const headers = { authorization: `Bearer ${given.token}` }
  let response: Response
  try {
    response = await fetch('/whoami', { headers, credentials: 'same-origin' })
  } catch {
    return 'The gateway cannot be reached. Check the connection and try again.'
  }
  const body = (await response.json().catch(() => ({}))) as {
    principal?: string | null
    user?: string
    name?: string
    error?: { message?: string }
  }
  if (!response.ok) {
    return plainWords(body.error?.message ?? `The gateway answered with status ${response.status}.`)
  }
  token = given.token
  grant = 'asked' in given ? given : undefined
  const name =
    plainWords(body.name ?? body.user ?? body.principal?.replace(/^key:/, '') ?? '') || 'a user'
  changeSession({ state: 'signed-in', name, at, problem: '', scopes: [] })
  return ''
}

/** Forgets all, also what the page has read for this user, and withdraws the token where the server can. */
export async function signOut(): Promise<void> {
  const { revoke } = grant ?? {}
  token = undefined
  grant = undefined
  await revoke?.().catch(() => undefined)
  location.reload()
}
