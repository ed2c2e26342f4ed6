/** Signs a user in with a pass phrase. */
import type { User } from '../grants/book.ts'
import type { Scope } from '../scope.ts'
import { LONGEST_PASS_PHRASE, userWith } from './pass-phrase.ts'
import { addressIn, countAttempt, forgetAttempts } from './throttle.ts'

export interface Failed {
  problem: string
  status: number
  headers: Readonly<Record<string, string>>
}

export async function signIn(
  { settings, vault, platform, request }: Scope,
  form: ReadonlyMap<string, string>,
): Promise<{ user: User } | Failed> {
  const name = (form.get('user') ?? '').trim()
  const passPhrase = form.get('pass_phrase') ?? ''
  const wrong: Failed = {
    problem: 'The user or the pass phrase is wrong.',
    status: 401,
    headers: {},
  }
  const isKnown = settings.users.some((user) => user.name === name)
  const attempt = await countAttempt(vault, platform.now(), {
    user: isKnown ? name : undefined,
    address: addressIn(request.headers.get('spin-client-addr')),
  })
  if (!attempt.isAllowed) {
    const { retryAfter } = attempt
    return {
      problem: `There were too many attempts. Try again in ${Math.ceil(retryAfter / 60)} minutes.`,
      status: 429,
      headers: { 'retry-after': String(retryAfter) },
    }
  }
  if (passPhrase.length > LONGEST_PASS_PHRASE) return wrong
  const user = await userWith(settings.users, name, passPhrase)
  if (!user) return wrong
  await forgetAttempts(vault, name)
  return { user: { sub: user.name, name: user.name, groups: user.groups } }
}
