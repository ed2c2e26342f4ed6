/**
 * The gateway, from inside the application.
 *
 * @module
 */
import type { Platform } from 'ftl-platform'
import { CLIENT_REQUEST_ID_HEADER } from 'ftl-gateway/access'
import { fetchUntilBegun } from '../model/network.ts'

/** Addresses of files in results begin with it, because a result has the address its request was sent to. */
export const GATEWAY = 'http://mcp-gateway.spin.internal'

/** Longer than any tool that answers without a job may take. */
const BEGIN_MS = 120_000

export interface Gateway {
  get(path: string): Promise<Response>
  post(path: string, body: object, headers?: Record<string, string>): Promise<Response>
}

export interface GatewayOptions {
  platform: Pick<Platform, 'fetch'>
  /** In the logs of the gateway and of the tools too. */
  requestId: string
  /** What a proxy in front says of who asks. The gateway believes it only where it is told to. */
  user?: string
  signal: AbortSignal
}

export function createGateway({ platform, requestId, user, signal }: GatewayOptions): Gateway {
  const head = {
    [CLIENT_REQUEST_ID_HEADER]: requestId,
    accept: 'application/x-ndjson, application/json',
    ...(user !== undefined && { 'x-forwarded-user': user }),
  }
  const send = (path: string, init: RequestInit = {}) =>
    fetchUntilBegun(platform, `${GATEWAY}${path}`, { ...init, signal, timeoutMs: BEGIN_MS })
  return {
    get: (path) => send(path, { headers: head }),
    post: (path, body, headers = {}) =>
      send(path, {
        method: 'POST',
        headers: { ...head, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  }
}

/** Addresses as whoever chats can follow them: relative to the chat's own. */
export function outside(text: string): string {
  return text.replaceAll(`${GATEWAY}/`, '/')
}
