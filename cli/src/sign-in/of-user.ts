/** Signs a user out at a server behind a gateway, as its operator: with the variable `remote_key` of the gateway. */
import { createHmac } from 'node:crypto'
import { isObject, isString, jsonOf, memberOf } from 'ftl-contract'
import { settingIn } from '../auth-server/settings-file.ts'
import { besideMcp } from '../commands/server-address.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { line } from '../terminal/ui.ts'
import { visible } from '../terminal/visible-text.ts'
import { chosenServer } from './chosen-server.ts'

const KEY_VARIABLE = 'SPIN_VARIABLE_REMOTE_KEY'

const TIMEOUT_MS = 60_000

const OUTCOMES: ReadonlyMap<unknown, string> = new Map([
  ['none', 'the user was not signed in'],
  ['revoked', 'the tokens are forgotten and revoked'],
  ['partly', 'the tokens are forgotten; the last one is valid until it expires'],
  ['unsupported', 'the tokens are forgotten; the authorization server cannot revoke them'],
  ['failed', 'the tokens are forgotten; the authorization server did not revoke them'],
])

/**
 * @param user the principal, as `ftl whoami` prints it.
 * @returns the exit code. @throws {CommandFailure}
 */
export async function signOutUser(
  gateway: string | undefined,
  { server, user }: { server: string; user: string },
): Promise<number> {
  const key = process.env[KEY_VARIABLE] ?? settingIn('.env', 'remote_key') ?? ''
  if (key === '') {
    throw new CommandFailure(
      `--user is for the operator of the gateway: set ${KEY_VARIABLE} to its variable remote_key, or run this beside its .env`,
    )
  }
  const address = besideMcp(await chosenServer(gateway), 'connect/sign-out')
  const at = Date.now()
  // The component `remote` checks it.
  const covered = JSON.stringify(['ftl-remote', 'sign-out', server, user, at])
  const code = createHmac('sha256', key).update(covered).digest('base64url')
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ server, user, at, code }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    if (error instanceof TypeError) throw new CommandFailure(`${address.host} cannot be reached`)
    throw error
  })
  const answer = jsonOf((await response.text()).slice(0, 100_000))
  const message = memberOf(memberOf(answer, 'error'), 'message')
  if (isString(message)) throw new CommandFailure(visible(message))
  if (response.status !== 200 || !isObject(answer)) {
    throw new CommandFailure(
      `${address.host} answered with status ${response.status}: it has no component remote with servers where users sign in`,
    )
  }
  const outcome = OUTCOMES.get(answer['revocation']) ?? 'the tokens are forgotten'
  line(`${visible(user)} at ${visible(server)}: ${outcome}`)
  return answer['revocation'] === 'failed' ? 4 : 0
}
