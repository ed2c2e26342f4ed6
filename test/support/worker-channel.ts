/**
 * A channel on which the workers of several hosts in one process tell a test what they see. Each of them also gets what the
 * others say.
 */
export function workerChannel(name: string): BroadcastChannel {
  // Node loads its events with the first message, and a worker that is hardened by then cannot load anything: it would end.
  void new MessageEvent('message')
  const channel = new BroadcastChannel(name) as BroadcastChannel & { unref(): void }
  channel.unref()
  return channel
}
