/**
 * Lets the gateway decide whether a client may chat: it alone knows how clients are authenticated. The client's
 * credentials go to the gateway and nowhere else.
 */
import { CLIENT_ORIGIN_HEADER, isString } from 'ftl-contract'
import { failure, ownAddress } from 'ftl-http'
import type { Gateway } from '../tools/gateway.ts'

const CREDENTIALS = ['authorization', 'x-forwarded-user', 'x-forwarded-user-secret']

/** Headers of the gateway's refusal that the client needs. */
const PASSED_ON = ['content-type', 'www-authenticate', 'retry-after', 'cache-control']

/**
 * @returns headers for the gateway; with the address that the client used, because its token is issued for that. Not with
 * a name of this machine that a client elsewhere made up: the gateway sees only that the chat calls it.
 */
export function credentialsOf(request: Request): Record<string, string> {
  const own = ownAddress(request)
  const found: Record<string, string> = own ? { [CLIENT_ORIGIN_HEADER]: own.origin } : {}
  for (const name of CREDENTIALS) {
    const value = request.headers.get(name)
    if (value !== null) found[name] = value
  }
  return found
}

/** The client may chat. */
export interface Admitted {
  /** As the gateway authenticated the client. @default the gateway does not authenticate */
  principal: string | undefined
}

/** @returns the gateway's refusal, or that the client may chat. */
export async function admit(gateway: Gateway): Promise<Response | Admitted> {
  let answer: Response
  try {
    answer = await gateway.get('/whoami?for=chat')
  } catch {
    const message = 'The gateway cannot be reached, so it is not known whether you may chat.'
    return failure(502, 'gateway_unreachable', message)
  }
  if (answer.status === 200) {
    const { principal } = (await answer.json()) as { principal?: unknown }
    return { principal: isString(principal) ? principal : undefined }
  }
  const headers = new Headers()
  for (const name of PASSED_ON) {
    const value = answer.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(answer.body, { status: answer.status, headers })
}
