/** Requests that the Activity view makes itself: its table would otherwise fill with them. */
import { newKey } from '../jobs/call.ts'

const sent = new Set<string>()

/** Ids that are remembered; the host keeps a thousand requests. */
const MOST = 1000

/** With an id that only this page knows, so that no client can hide its requests. */
export function asOwn(init: RequestInit = {}): RequestInit {
  const id = newKey()
  sent.add(id)
  const [oldest] = sent
  if (sent.size > MOST && oldest !== undefined) sent.delete(oldest)
  const headers = new Headers(init.headers)
  headers.set('x-request-id', id)
  return { ...init, headers }
}

export const isOwn = (id: string): boolean => sent.has(id)
