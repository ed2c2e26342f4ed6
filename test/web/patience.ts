/** How long a browser may take on a machine that has too much to do. No test is about these limits. */
import { afterAll, vi } from 'vitest'

/** For one step, such as opening a page or finding a button. */
export const STEP_MS = 60_000

/** Gives each test of this file time for steps that take that long. */
export function bePatient(): void {
  vi.setConfig({ testTimeout: 3 * STEP_MS })
  afterAll(() => vi.resetConfig())
}
