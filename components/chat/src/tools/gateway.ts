/** Requests to the gateway from inside the application. */
import type { Platform } from 'ftl-platform'
import { CLIENT_REQUEST_ID_HEADER } from 'ftl-http'
import { fetchUntilBegun } from '../model/network.ts'

/** File URLs in results begin with it, because the gateway builds them from the URL of the request. */
const GATEWAY = 'http://mcp-gateway.spin.internal'

/** Longer than a tool may take that answers without a job. */
const BEGIN_MS = 120_000

export interface Gateway {
  get(path: string): Promise<Response>
  post(path: string, body: object, headers?: Record<string, string>): Promise<Response>
}

export interface GatewayOptions {
  platform: Pick<Platform, 'fetch'>
  /** Also written to the logs of the gateway and the tools. */
  requestId: string
  /** Headers that authenticate the client. */
  credentials: Readonly<Record<string, string>>
  signal: AbortSignal
}

export function createGateway({
  platform,
  requestId,
  credentials,
  signal,
}: GatewayOptions): Gateway {
  const head = {
    [CLIENT_REQUEST_ID_HEADER]: requestId,
    accept: 'application/x-ndjson, application/json',
    ...credentials,
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

/** Makes the gateway's internal URLs relative to the chat's origin, so that a client can open them. */
export function outside(text: string): string {
  return text.replaceAll(`${GATEWAY}/`, '/')
}
