/** Where a client follows a job on the WebSocket bridge. */
import { isString, linkQuery } from 'ftl-contract'
import type { Scope } from '../scope.ts'

/**
 * Address of the bridge as this client reaches it, without a slash at the end.
 *
 * @returns `undefined` without a bridge.
 * @throws {ConfigurationError} when `bridge_url` is unusable.
 */
export function bridgeAddress(scope: Scope, request: Request): string | undefined {
  const { bridge } = scope.settings
  if (isString(bridge)) return undefined
  if ('url' in bridge) return bridge.url
  const { protocol, hostname } = new URL(request.url)
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${hostname}:${bridge.port}`
}

/** With the job's link: a browser's WebSocket sends no token. @throws {ConfigurationError} as {@link bridgeAddress}. */
export function streamAddress(scope: Scope, request: Request, jobId: string): string | undefined {
  const address = bridgeAddress(scope, request)
  return address && `${address}/ws/stream/${jobId}${linkQuery(scope.links.get(jobId))}`
}
