/** Whether there is a network, and waiting for it. */
import { createStore } from '../store.ts'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000

export const online = createStore(navigator.onLine)
addEventListener('online', () => online.set(() => true))
addEventListener('offline', () => online.set(() => false))

/** Resolves when it is time for another try: later each time, and at once when the network comes back. */
export function untilRetry(failures: number): Promise<void> {
  // Not all at the same moment: many pages may have lost the same gateway.
  const wait = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS) * (0.75 + Math.random() / 2)
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, wait)
    addEventListener('online', done)
  })
}

/** Aborted as soon as the network is gone: a stream would otherwise wait for lines that cannot come. */
export function whileOnline(): AbortController {
  const controller = new AbortController()
  addEventListener('offline', () => controller.abort(), { signal: controller.signal })
  return controller
}
