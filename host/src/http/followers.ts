/** Clients that follow something: their answers go on for as long as there is news, and hold little. */
import type { HeaderEntry } from './header-rules.ts'

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Methods of requests that only read, and whose body a component does not get. */
export const isBodyless = (method: string): boolean => METHODS.has(method)

const EVENTS = /^(?:text\/event-stream|application\/x-ndjson)\s*(?:;|$)/i

/** Whether the answer to such a request is events or lines. */
export function isFollower(method: string, headers: readonly HeaderEntry[]): boolean {
  return (
    isBodyless(method) &&
    headers.some(([name, value]) => name === 'content-type' && EVENTS.test(value))
  )
}
