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
}
