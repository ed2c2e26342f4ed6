/** Keeps what the gateway prints out of the report of the tests of a file. */
import { afterEach, beforeEach, vi } from 'vitest'

export function silence(...methods: ('log' | 'error')[]): void {
  beforeEach(() => {
    for (const method of methods) vi.spyOn(console, method).mockImplementation(() => {})
  })
  afterEach(() => vi.restoreAllMocks())
}
