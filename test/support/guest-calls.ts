/** What guests ask of a host that was started with the hook in `guest-calls-hook.ts`. */
import { GUEST_CALLS, type GuestCall } from './guest-calls-hook.ts'

/** Reports travel between threads, beside the answer to the client, and may come a little later. */
const SETTLE_MS = 50

/** Calls of the host by `interface#function`. */
export type HostCalls = Record<string, number>

/** @returns gives what was counted since it was last asked. */
export function countGuestCalls(): () => HostCalls {
  let calls: HostCalls = {}
  listen(({ call }) => (calls[call] = (calls[call] ?? 0) + 1))
  return () => {
    const counted = calls
    calls = {}
    return counted
  }
}

/** @returns the calls of `work`, in order. */
export async function recordGuestCalls(work: () => Promise<unknown>): Promise<GuestCall[]> {
  const calls: GuestCall[] = []
  const channel = listen((call) => calls.push(call))
  try {
    await work()
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    return calls
  } finally {
    channel.close()
  }
}

function listen(report: (call: GuestCall) => void): BroadcastChannel {
  const channel = new BroadcastChannel(GUEST_CALLS) as BroadcastChannel & { unref(): void }
  channel.onmessage = ({ data }) => report(data as GuestCall)
  channel.unref()
  return channel
}
