/**
 * Lets the gateway decide whether a client may chat: it alone knows how clients are authenticated. The client's
 * credentials go to the gateway and nowhere else.
 */
import { CLIENT_ORIGIN_HEADER } from 'ftl-contract'
import { addressOf, discard, failure } from 'ftl-http'
import type { Gateway } from '../tools/gateway.ts'

const CREDENTIALS = ['authorization', 'x-forwarded-user', 'x-forwarded-user-secret']

/** Headers of the gateway's refusal that the client needs. */
const PASSED_ON = ['content-type', 'www-authenticate', 'retry-after', 'cache-control']

/** @returns headers for the gateway; with the address that the client used, because its token is issued for that. */
export function credentialsOf(request: Request): Record<string, string> {
  const found: Record<string, string> = { [CLIENT_ORIGIN_HEADER]: addressOf(request).origin }
  for (const name of CREDENTIALS) {
    const value = request.headers.get(name)
    if (value !== null) found[name] = value
  }
  return found
}

/** @returns the gateway's refusal, or nothing if the client may chat. */
export async function refusalOf(gateway: Gateway): Promise<Response | undefined> {
  let answer: Response
  try {
    answer = await gateway.get('/whoami')
  } catch {
    const message = 'The gateway cannot be reached, so it is not known whether you may chat.'
    return failure(502, 'gateway_unreachable', message)
  }
  if (answer.status === 200) {
    discard(answer)
    return undefined
  }
  const headers = new Headers()
  for (const name of PASSED_ON) {
    const value = answer.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(answer.body, { status: answer.status, headers })
}
