/** What a client requests in the query of its URL, in addition to the chunk and the end that every client gets. */

export interface Wishes {
  /** `?progress=1`: `stream/progress`. */
  progress: boolean
  /** `?previews=1`: `stream/preview`, pictures of a running job. */
  previews: boolean
  /** `?heartbeat=1`: `stream/heartbeat`, for clients behind a proxy that closes idle connections. */
  heartbeat: boolean
}

const NAMES = ['progress', 'previews', 'heartbeat'] as const

/** Encodes them as one header value, which the Worker sends to the stream. */
export function encodeWishes(query: URLSearchParams): string {
  return NAMES.filter((name) => query.get(name) === '1').join(',')
}

export function decodeWishes(text: string | null): Wishes {
  const wished = (text ?? '').split(',')
  const [progress, previews, heartbeat] = NAMES.map((name) => wished.includes(name))
  return { progress: progress ?? false, previews: previews ?? false, heartbeat: heartbeat ?? false }
}
