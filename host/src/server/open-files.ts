/** How many files and sockets this process may have open. */
import { readFileSync } from 'node:fs'

/** Assumed where the system does not say. */
const UNKNOWN = 10_000

/** Node raises the soft limit to the hard one when it starts, so this is what counts. */
export function openFileLimit(read = () => readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(read()) ?? []
    return soft === undefined ? UNKNOWN : Number(soft)
  } catch {
    return UNKNOWN
  }
}
