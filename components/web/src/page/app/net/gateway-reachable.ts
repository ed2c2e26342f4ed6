/** Whether the gateway can be reached. One banner says so, instead of every part of the page. */
import { createStore } from '../store.ts'

export const reach = createStore({ isDown: false, isTrying: false })

/** After each request. */
export function noteReached(isReached: boolean): void {
  if (isReached)
    reach.set((before) => (before.isDown ? { isDown: false, isTrying: false } : before))
  // Without a network there is a banner of its own.
  else if (navigator.onLine) {
    reach.set((before) => (before.isDown ? before : { isDown: true, isTrying: false }))
  }
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
