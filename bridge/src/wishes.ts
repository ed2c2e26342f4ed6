/**
 * What a client asks for with the query of its address, beyond the chunk and the end that everybody gets.
 *
 * @module
 */

export interface Wishes {
  /** `?progress=1`: `stream/progress`. */
  progress: boolean
  /** `?previews=1`: `stream/preview`, pictures of a rendering that goes on. */
  previews: boolean
  /** `?heartbeat=1`: `stream/heartbeat`, for who sits behind a proxy that cuts idle connections. */
  heartbeat: boolean
}

const NAMES = ['progress', 'previews', 'heartbeat'] as const

/** As one header value, for the way from the Worker to the stream. */
export function encodeWishes(query: URLSearchParams): string {
  return NAMES.filter((name) => query.get(name) === '1').join(',')
}

export function decodeWishes(text: string | null): Wishes {
  const wished = (text ?? '').split(',')
  const [progress, previews, heartbeat] = NAMES.map((name) => wished.includes(name))
  return { progress: progress ?? false, previews: previews ?? false, heartbeat: heartbeat ?? false }
}
