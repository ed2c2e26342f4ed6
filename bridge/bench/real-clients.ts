/**
 * Many calls of `followStream`, the client's own, whose bridge is killed before any job ends: how many get their result, and
 * when. Bridge, clients and a stand-in for the gateway share the machine. Linux only.
 *
 *     ulimit -n 40000; node bridge/bench/real-clients.ts [streams] [clients a stream] [poll interval in ms]
 */
import { followStream } from '../../client/src/jobs/follow-stream.ts'
import { GatewayStandIn, sleep } from '../src/testing/gateway-stand-in.ts'
import { startBridge } from '../src/local.ts'
import { ownWorkerds } from '../src/orphaned-workerd.ts'

/** All connecting at once would measure the queue of the listener. */
const CLIENTS_PER_SECOND = 250
const PAUSE_MS = 5_000

const [streams = 200, listeners = 3, pollIntervalMs = 1_000] = process.argv.slice(2, 5).map(Number)
const total = streams * listeners

const gateway = await GatewayStandIn.start()
const bridge = await startBridge({
  gatewayUrl: gateway.url,
  port: 0,
  limits: { maxTotalSockets: total + 100, maxSockets: listeners + 1 },
  onStatus: (status, reason) => console.error(`the bridge: ${status} ${reason ?? ''}`),
})
const jobs = Array.from({ length: streams }, () => gateway.working({ pollIntervalMs }))
const ends: number[] = []
const errors = new Map<string, number>()
const connectMs = (total / CLIENTS_PER_SECOND) * 1000
const calls = jobs.flatMap(({ id }) =>
  Array.from({ length: listeners }, async () => {
    await sleep(Math.random() * connectMs)
    try {
      const address = `${bridge.url.replace('http', 'ws')}/ws/stream/${id}`
      await followStream({ ws_url: address })
      ends.push(performance.now())
    } catch (error) {
      const { name } = error as Error
      errors.set(name, (errors.get(name) ?? 0) + 1)
    }
  }),
)
console.error(`connecting ${total} clients to ${streams} streams`)
await sleep(connectMs + PAUSE_MS)

console.error('killing the bridge')
const [pid] = await ownWorkerds()
if (pid === undefined) throw new Error('the bridge has ended')
const killedAt = performance.now()
process.kill(pid, 'SIGKILL')
await sleep(PAUSE_MS)
for (const job of jobs) gateway.complete(job)
await Promise.all(calls)

ends.sort((a, b) => a - b)
const at = (part: number) =>
  Math.round((ends[Math.min(ends.length - 1, Math.floor(part * ends.length))] ?? 0) - killedAt)
console.log(
  JSON.stringify({
    clients: total,
    results: ends.length,
    errors: Object.fromEntries(errors),
    resultAfterKillMs: { first: at(0), p50: at(0.5), last: at(1) },
  }),
)
await bridge.close()
await gateway.close()
process.exit(ends.length === total ? 0 : 1)
