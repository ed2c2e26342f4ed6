/**
 * What an operator may do with the sign-in of a user: `ftl logout --server NAME --user PRINCIPAL`.
 *
 * The route is public. A request has a code (HMAC-SHA-256) that only the holder of `remote_key` can make, and is valid for some
 * minutes: who reads it could only sign the same user out again.
 */
import { fromBase64, fromUrlSafe, parseJson, readText, utf8 } from 'ftl-http'
import type { ToolContext } from 'ftl-sdk'
import { ownerOf } from '../session-owner.ts'
import { digestOf, openStore } from '../store.ts'
import type { ConsentServer, Consents } from './consents.ts'
import { consentSettings } from './settings.ts'
import { signOut } from './tokens.ts'

/** Milliseconds between the clocks of the operator and of the gateway. */
const MOST_APART_MS = 5 * 60_000
const LONGEST_BODY = 16 * 1024

interface SignOutRequest {
  server: string
  /** Principal, as `ftl whoami` prints it. */
  user: string
  /** Milliseconds since the epoch. */
  at: number
  /** In base64url. */
  code: string
}

type Context = Pick<ToolContext, 'platform' | 'component'>

export async function answerOperator(
  request: Request,
  consents: Consents & { servers: readonly ConsentServer[] },
  { platform, component }: Context,
): Promise<Response> {
  const asked = readRequest(await readText(request, { limit: LONGEST_BODY }))
  if (!asked || !(await isOfOperator(asked, platform))) {
    return refused(403, 'The code does not fit remote_key, or the clocks differ by minutes.')
  }
  const { user } = asked
  const server = consents.servers.find(({ name }) => name === asked.server)
  if (!server) return refused(404, 'No server of this name has a sign-in.')
  const revocation = await signOut(consents, server, user)
  const digest = await digestOf(platform.variables.get('remote_servers') ?? '')
  const owner = await ownerOf({ principal: user })
  await openStore(platform, component).forgetConnection({ server: server.name, digest, owner })
  console.warn(`an operator has signed ${JSON.stringify(user)} out at "${server.name}"`)
  return Response.json({ server: server.name, user, revocation })
}

function readRequest(text: string): SignOutRequest | undefined {
  try {
    const { server, user, at, code } = parseJson(text, { depth: 2 }) as Partial<SignOutRequest>
    const isWhole = [server, user, code].every((each) => typeof each === 'string')
    return isWhole && Number.isSafeInteger(at)
      ? ({ server, user, at, code } as SignOutRequest)
      : undefined
  } catch {
    return undefined
  }
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

async function isOfOperator(
  { server, user, at, code }: SignOutRequest,
  { variables, now }: Pick<Context['platform'], 'variables' | 'now'>,
): Promise<boolean> {
  const settings = consentSettings(variables)
  const given = fromBase64(`${fromUrlSafe(code)}=`)
  if (typeof settings === 'string' || !given || Math.abs(now() - at) > MOST_APART_MS) return false
  const key = await crypto.subtle.importKey('raw', utf8(settings.key), HMAC, false, ['verify'])
  // `ftl logout` makes it of the same text.
  const covered = utf8(JSON.stringify(['ftl-remote', 'sign-out', server, user, at]))
  return crypto.subtle.verify(HMAC, key, given, covered)
}

function refused(status: number, message: string): Response {
  return Response.json({ error: { message } }, { status })
}
