/** What leaves components of a host in this process. The host must be started with {@link RECORDING}. */

/** What one component sent to another, or to the network. */
export interface InternalRequest {
  method: string
  /** `{component}.spin.internal` */
  authority: string
  path: string
}

/** Options of a host whose requests are to be recorded. */
export const RECORDING = {
  workerImports: [new URL('./internal-requests-hook.ts', import.meta.url).href],
}

/** What a worker says travels beside the answer of the client, and may come a little later. */
const SETTLE_MS = 30

/** @returns the requests of `work` from its beginning to its end, in order, what it returned and how long it took. */
export async function recordRequests<T>(
  work: () => Promise<T>,
): Promise<{ requests: InternalRequest[]; value: T; milliseconds: number }> {
  const requests: InternalRequest[] = []
  const channel = new BroadcastChannel('ftl-internal-requests')
  channel.onmessage = ({ data }) => requests.push(data as InternalRequest)
  try {
    const started = performance.now()
    const value = await work()
    const milliseconds = performance.now() - started
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    return { value, requests, milliseconds }
  } finally {
    channel.close()
  }
}
