/** How the answer of an authorization server gets from the page that it redirects to, to the page that waits for it. */
import type { Attempt } from './oauth.ts'

/** Of `sessionStorage`, while the user is away from this tab: the attempt, and then the answer. Neither has a token. */
export const ATTEMPT_KEY = 'ftl.sign-in'
const ANSWER_KEY = 'ftl.sign-in.answer'

/** Says that the answer has arrived. */
export const TAKEN = 'taken'

/** The name of a channel can be known only to those who know the state. */
export function channelOf(state: string): string {
  return `ftl.sign-in.${state}`
}

/** Addresses of the page as an OAuth client. */
const REDIRECT = '/app/oauth/redirect'
const CLIENT = '/app/oauth/client.json'

/** How the page is known as a client. An authorization server requests the metadata, which needs an https address. */
export function ownAddresses(): { redirectUri: string; metadataUrl: string | undefined } {
  const { origin, protocol } = location
  return {
    redirectUri: origin + REDIRECT,
    metadataUrl: protocol === 'https:' ? origin + CLIENT : undefined,
  }
}

/** Called while the user clicks: otherwise browsers open no window, and this returns `null`. */
export function openWindow(): Window | null {
  return window.open(REDIRECT, '_blank', 'popup,width=520,height=720')
}

/**
 * Receives the answer from the page that the user comes back to, over a channel that only pages of this origin can use.
 *
 * @param take whether the answer is used.
 * @returns what stops waiting.
 */
export function receiveAnswer(state: string, take: (query: string) => boolean): () => void {
  const channel = new BroadcastChannel(channelOf(state))
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'string' || !take(data)) return
    // The window can go.
    channel.postMessage(TAKEN)
    channel.close()
  }
  return () => channel.close()
}

type Kept = Attempt & { hash?: unknown }

function readAttempt(): Kept | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(ATTEMPT_KEY) ?? 'null')
    return typeof value === 'object' && value !== null ? (value as Kept) : undefined
  } catch {
    return undefined
  }
}

/** Keeps the answer to the attempt that this tab has begun. @returns the view to go back to; `undefined` if it has not. */
export function keepAnswer(state: string, query: string): string | undefined {
  const kept = readAttempt()
  if (!kept || kept.state !== state) return undefined
  sessionStorage.setItem(ANSWER_KEY, query)
  const { hash } = kept
  return typeof hash === 'string' && hash.startsWith('#/') ? hash : ''
}

/** Both are removed: a code can be used once. */
export function takeAnswer(): { attempt: Attempt; query: string } | undefined {
  const attempt = readAttempt()
  try {
    const query = sessionStorage.getItem(ANSWER_KEY)
    sessionStorage.removeItem(ATTEMPT_KEY)
    sessionStorage.removeItem(ANSWER_KEY)
    return attempt && query !== null ? { attempt, query } : undefined
  } catch {
    return undefined
  }
}
