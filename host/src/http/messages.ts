/** Requests and responses as they travel through the host. */
import type { HeaderEntry } from './header-rules.ts'
import type { Pipe } from './pipe.ts'

export interface RequestHead {
  method: string
  scheme: 'http' | 'https'
  authority: string
  /** Path and query. */
  path: string
  headers: readonly HeaderEntry[]
}

export interface HttpRequest extends RequestHead {
  body: Pipe
  /** Fires when the response is no longer needed. */
  signal?: AbortSignal
}

export interface HttpResponse {
  status: number
  headers: readonly HeaderEntry[]
  body: Pipe
  /** @default the gateway reports nothing */
  report?: GatewayReport | undefined
}

/** What a gateway reports to the host about the request of a client. */
export interface GatewayReport {
  /** The authenticated caller. */
  principal?: string
  /** Calls in the request. @default 1 */
  calls?: number
  /** The caller may read `GET /activity`, which the host answers in place of the gateway. */
  activity?: boolean
}
