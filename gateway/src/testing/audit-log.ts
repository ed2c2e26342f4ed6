/** What the gateway prints to its audit log during each test of a file. */
import { afterEach, beforeEach, vi } from 'vitest'

export interface AuditLog {
  /** Lines as they were printed. */
  printed: string[]
  /** The same, parsed. */
  entries: () => Record<string, unknown>[]
}

export function auditLog(): AuditLog {
  const printed: string[] = []
  beforeEach(() => {
    printed.length = 0
    vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
  })
  afterEach(() => vi.restoreAllMocks())
  return {
    printed,
    entries: () => printed.map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}
