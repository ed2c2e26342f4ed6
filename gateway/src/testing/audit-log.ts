/** What the gateway prints to its audit log during each test of a file. */
import { afterEach, beforeEach, vi } from 'vitest'

export interface AuditLog {
  /** Lines as they were printed. */
  printed: string[]
  /** The same, parsed, without those that {@link begun} returns. */
  entries: () => Record<string, unknown>[]
  /** Lines about calls that a component is about to get. */
  begun: () => Record<string, unknown>[]
}

export function auditLog(): AuditLog {
  const printed: string[] = []
  beforeEach(() => {
    printed.length = 0
    vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
  })
  afterEach(() => vi.restoreAllMocks())
  const parsed = () => printed.map((line) => JSON.parse(line) as Record<string, unknown>)
  return {
    printed,
    entries: () => parsed().filter(({ event }) => event !== 'begin'),
    begun: () => parsed().filter(({ event }) => event === 'begin'),
  }
}
