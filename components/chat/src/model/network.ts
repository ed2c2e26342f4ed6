/** Requests that end when their signal is aborted or the server stays silent for too long. */
import { fetchUntilResponse, leavingBy, readLines, startDeadline } from 'ftl-http'
import type { Platform } from 'ftl-platform'

/** @throws {DeadlineExceeded} when no response begins in time, or the reason of `signal`. */
export async function fetchUntilBegun(
  platform: Pick<Platform, 'fetch'>,
  url: string,
  { signal, timeoutMs, ...init }: RequestInit & { signal: AbortSignal; timeoutMs: number },
): Promise<Response> {
  signal.throwIfAborted()
  const deadline = startDeadline(timeoutMs, leavingBy(signal))
  try {
    const response = fetchUntilResponse(platform, url, {
      // The key is for this address only.
      redirect: 'manual',
      ...init,
      signal: deadline.signal,
    })
    return await deadline.race(response)
  } finally {
    deadline.end()
  }
}

export interface LineOptions {
  /** Aborts reading. */
  signal: AbortSignal
  /** Milliseconds without a byte after which reading fails. */
  silenceMs: number
  /** Bytes after which reading fails. @default none, for a server inside the application */
  limit?: number
}

/**
 * Yields the lines of a body.
 *
 * @throws {BodyTooLarge}
 * @throws {DeadlineExceeded} when no byte arrives in time, or the reason of `signal`.
 */
export function bodyLines(
  response: Response,
  { signal, silenceMs, limit = Infinity }: LineOptions,
): AsyncGenerator<string, void> {
  const race = async <T>(work: Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    const deadline = startDeadline(silenceMs, leavingBy(signal))
    try {
      return await deadline.race(work)
    } finally {
      deadline.end()
    }
  }
  return readLines(response, { limit, deadline: { race } })
}
