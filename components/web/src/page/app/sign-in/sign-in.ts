/**
 * Signs the user in, in a window of its own or, where the browser opens none, in this tab.
 *
 * The window tells this page its answer over a channel that only pages of this origin can use, and that is named after
 * the `state` of the attempt. The page keeps no reference to the window: servers may cut it off (COOP), and a window that
 * seems closed may be open.
 */
import { keepDraft } from '../chat/draft.ts'
import { load, save } from '../local-storage.ts'
import { plainWords } from './challenge.ts'
import { ATTEMPT_KEY, openWindow, ownAddresses, receiveAnswer, takeAnswer } from './hand-over.ts'
import type { Attempt, Grant } from './oauth.ts'
import { nameOf, readResource } from './resource.ts'
import { adopt, changeSession, session } from './session.ts'

/** The latest attempt; an answer to an earlier one is not used. */
let current: { stop: () => void } | undefined
/** Whether the first request of this sign-in had asked for it, or a token that has expired. */
let before: 'required' | 'expired' = 'required'

/** Called while the user clicks: otherwise browsers open no window. */
export async function signIn(issuer: string): Promise<void> {
  const shown = openWindow()
  if (!shown) {
    fail(issuer, 'The browser has blocked the window for the sign-in.')
    changeSession({ isBlocked: true })
    return
  }
  await attempt(issuer, async (url, made) => {
    listen(made)
    shown.location.replace(url)
  }).catch(() => undefined)
  if (session.get().state !== 'waiting') shown.close()
}

/** Leaves the page. Forms that are open are lost. */
export async function signInHere(issuer: string): Promise<void> {
  await attempt(issuer, async (url, made) => {
    sessionStorage.setItem(ATTEMPT_KEY, JSON.stringify({ ...made, hash: location.hash }))
    keepDraft()
    location.assign(url)
  })
}

export function cancelSignIn(): void {
  current?.stop()
  changeSession({ state: before, problem: '' })
}

/** Uses the answer that the user came back to this tab with. */
export async function finishHere(): Promise<void> {
  const answer = takeAnswer()
  if (!answer) return
  const { attempt: made, query } = answer
  changeSession({ state: 'waiting', at: nameOf(made.issuer), issuers: [made.issuer] })
  await use(made, query)
}

async function attempt(
  issuer: string,
  go: (url: string, made: Attempt) => Promise<void>,
): Promise<void> {
  current?.stop()
  const { state, scopes } = session.get()
  if (state === 'required' || state === 'expired') before = state
  changeSession({ state: 'waiting', at: nameOf(issuer), problem: '', isBlocked: false })
  let isOver = false
  const mine = { stop: () => (isOver = true) }
  current = mine
  try {
    if (!isSecureContext) throw new Error(INSECURE)
    const [{ begin }, { resource, scopes: offered }] = await Promise.all([
      import('./oauth.ts'),
      readResource(),
    ])
    const saved = `client.${issuer}`
    const registered = load(saved)
    const { url, attempt: made } = await begin({
      issuer,
      resource,
      scopes: scopes.length > 0 ? scopes : offered,
      ...ownAddresses(),
      configured: configuredClients(),
      registered: typeof registered === 'string' ? registered : undefined,
      keep: (clientId) => save(saved, clientId),
    })
    if (!isOver) await go(url, made)
  } catch (error) {
    if (!isOver) fail(issuer, error)
  }
}

const INSECURE =
  'Browsers allow a sign-in only at an https address, or at localhost. Open this page there, or use an API key.'

function listen(made: Attempt): void {
  const mine = {
    stop: receiveAnswer(made.state, (query) => {
      if (current !== mine) return false
      void use(made, query)
      return true
    }),
  }
  current = mine
}

async function use(made: Attempt, query: string): Promise<void> {
  current = undefined
  try {
    const { finish } = await import('./oauth.ts')
    const grant: Grant = await finish(made, query)
    const problem = await adopt(grant, nameOf(made.issuer))
    if (problem !== '')
      fail(made.issuer, `You have signed in, but the server did not accept it: ${problem}`)
  } catch (error) {
    fail(made.issuer, error)
  }
}

function fail(issuer: string, error: unknown): void {
  const {
    message,
    said = '',
    isOfClient = false,
  } = (typeof error === 'string' ? { message: error } : error) as Partial<
    Record<'message' | 'said', string>
  > & { isOfClient?: boolean }
  // The server may have forgotten the registration.
  if (isOfClient) save(`client.${issuer}`, undefined)
  const more = plainWords(said)
  const isWorded = error instanceof Error && (error.name === 'SignInError' || message === INSECURE)
  const words =
    isWorded || typeof error === 'string' ? message : 'The sign-in did not succeed. Try again.'
  changeSession({
    state: before,
    problem: `${words}${more === '' ? '' : ` ${nameOf(issuer)} says: “${more}”`}`,
  })
}

function configuredClients(): Record<string, string> {
  try {
    return JSON.parse(document.documentElement.dataset['clients'] || '{}') as Record<string, string>
  } catch {
    return {}
  }
}

/** @returns what is wrong with the key; empty if it is accepted. */
export async function useKey(key: string): Promise<string> {
  if (!/^[\x21-\x7e]+$/.test(key)) return 'A key has letters, digits and signs, and no spaces.'
  return adopt({ token: key }, '')
}
