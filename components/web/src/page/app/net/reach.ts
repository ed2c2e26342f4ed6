/** Whether the gateway can be reached. One banner says so, instead of every part of the page. */
import { createStore } from '../store.ts'
import { online, untilRetry } from './online.ts'

export const reach = createStore({ isDown: false, isTrying: false })

let isWaiting = false

/** After each request. */
export function noteReached(isReached: boolean): void {
  if (isReached)
    reach.set((before) => (before.isDown ? { isDown: false, isTrying: false } : before))
  // Without a network there is a banner of its own.
  else if (online.get()) {
    reach.set((before) => (before.isDown ? before : { isDown: true, isTrying: false }))
    if (!isWaiting) void waitForIt()
  }
}

/** Tries until the gateway answers. */
async function waitForIt(): Promise<void> {
  isWaiting = true
  for (let failures = 0; reach.get().isDown; failures++) {
    await untilRetry(failures)
    if (reach.get().isDown) await tryNow()
  }
  isWaiting = false
}

/** @returns whether the gateway answers. */
export async function tryNow(): Promise<boolean> {
  reach.set((before) => ({ ...before, isTrying: true }))
  try {
    // A proxy in front of a gateway that is down answers 502 to 504.
    const { status } = await fetch('/health', { cache: 'no-store' })
    if (status >= 502 && status <= 504) throw new Error(`status ${status}`)
    noteReached(true)
    return true
  } catch {
    reach.set(() => ({ isDown: true, isTrying: false }))
    return false
  }
}
