/** Signs a user in with a pass phrase. */
import type { User } from '../grants/book.ts'
import type { Scope } from '../scope.ts'
import { senderOf } from './address.ts'
import { LONGEST_PASS_PHRASE, userOrStandIn, userWith } from './pass-phrase.ts'
import { knownCookie, knownUser } from './known-browser.ts'
import { type Attempt, countAttempt, countKnownAttempt, tooMany, whenAgain } from './throttle.ts'

export interface Failed {
  problem: string
  status: number
  headers: Readonly<Record<string, string>>
}

export interface SignedIn {
  user: User
  cookies: string[]
}

export async function signIn(
  scope: Scope,
  form: ReadonlyMap<string, string>,
): Promise<SignedIn | Failed> {
  const { settings } = scope
  const name = (form.get('user') ?? '').trim()
  const passPhrase = form.get('pass_phrase') ?? ''
  const wrong: Failed = {
    problem: 'The user or the pass phrase is wrong.',
    status: 401,
    headers: {},
  }
  const attempt = await attemptOf(scope, name)
  if (!attempt.isAllowed) {
    return { problem: `There were too many attempts. ${whenAgain(attempt)}`, ...tooMany(attempt) }
  }
  if (passPhrase.length > LONGEST_PASS_PHRASE) return wrong
  const user = await userWith(settings.users, name, passPhrase)
  if (!user) return wrong
  return {
    user: { sub: user.name, name: user.name, groups: user.groups },
    cookies: [await knownCookie(scope, user.name)],
  }
}

async function attemptOf(scope: Scope, name: string): Promise<Attempt> {
  const { settings, vault, platform, request } = scope
  const now = platform.now()
  if ((await knownUser(scope)) === name) {
    const attempt = await countKnownAttempt(vault, now, name)
    if (attempt.isAllowed) return attempt
  }
  return countAttempt(vault, now, {
    user: userOrStandIn(settings.users, name)?.name ?? '',
    address: senderOf(request.headers),
  })
}
