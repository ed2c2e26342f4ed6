import type { IncomingHttpHeaders } from 'node:http'
import { digestOf } from '../limits/known-callers.ts'

/** What a request authenticates itself with, as a digest; `undefined` if it has nothing of the kind. */
export function credentialOf(headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'x-forwarded-user': user, 'x-forwarded-user-secret': secret } = headers
  if (authorization === undefined && user === undefined) return undefined
  return digestOf(JSON.stringify([authorization, user, secret]))
}
