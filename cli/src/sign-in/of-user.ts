/** Signs a user out at a server behind a gateway, as its operator: with the variable `remote_key` of the gateway. */
import { createHmac } from 'node:crypto'
import { isObject } from 'ftl-contract'
import { settingIn } from '../auth-server/settings-file.ts'
import { besideMcp } from '../commands/server-address.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { line } from '../terminal/ui.ts'
import { visible } from '../terminal/visible-text.ts'
import { chosenServer } from './chosen-server.ts'
import { gatewayAnswer } from './gateway-answer.ts'

const KEY_VARIABLE = 'SPIN_VARIABLE_REMOTE_KEY'

const OUTCOMES: ReadonlyMap<unknown, string> = new Map([
  ['none', 'this principal was not signed in; `ftl whoami` of the user prints it'],
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
  { server, user, timeoutMs = 60_000 }: { server: string; user: string; timeoutMs?: number },
): Promise<number> {
  const key = process.env[KEY_VARIABLE] || (settingIn('.env', 'remote_key') ?? '')
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
  const { status, answer } = await gatewayAnswer(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ server, user, at, code }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (status !== 200 || !isObject(answer)) throw new CommandFailure(problemOf(address, status))
  const outcome = OUTCOMES.get(answer['revocation']) ?? 'the tokens are forgotten'
  line(`${visible(user)} at ${visible(server)}: ${outcome}`)
  return answer['revocation'] === 'failed' ? 4 : 0
}

function problemOf({ host }: URL, status: number): string {
  if (status === 404) return `${host} has no component remote with servers where users sign in`
  if (status === 200) return `${host} answered with a page: check the address of the gateway`
  const hint = status === 500 ? ': the log of the gateway has the reason' : ''
  return `${host} answered with status ${status}${hint}`
}
