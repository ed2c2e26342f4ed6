/** The origin a client reaches the bridge at: what `source` of an image begins with. */
import type { Bindings } from './workerd.ts'

/**
 * `PUBLIC_URL` if set, else the origin of the client's own request (`ws:` is `http:` here, `wss:` is `https:`).
 *
 * A made-up Host header only changes what its own sender is shown.
 */
export function publicOrigin(
  request: Request,
  env: Pick<Bindings, 'PUBLIC_URL' | 'TRUST_FORWARDED_PROTO'>,
): string {
  if (env.PUBLIC_URL) return env.PUBLIC_URL.replace(/\/+$/, '')
  const url = new URL(request.url)
  if (env.TRUST_FORWARDED_PROTO !== 'true') return url.origin
  const [forwarded = ''] = (request.headers.get('x-forwarded-proto') ?? '').split(',')
  const scheme = forwarded.trim().toLowerCase()
  return /^(http|ws)s?$/.test(scheme) ? `${scheme.replace('ws', 'http')}://${url.host}` : url.origin
}
