/**
 * Many streams with several sockets each: what a socket costs, and whether each client gets its one chunk and end, also when
 * the bridge is killed in between. Bridge, clients and a stand-in for the gateway share the machine. Linux only.
 *
 *     ulimit -n 40000; node bridge/bench/many-listeners.ts [streams] [sockets a stream] [poll interval in ms]
 */
import { GatewayStandIn, sleep } from '../src/testing/gateway-stand-in.ts'
import { startBridge } from '../src/local.ts'
import { ownWorkerds } from '../src/orphaned-workerd.ts'
import { useOf } from './process-use.ts'
import { Client, connectAll, reconnectAll } from './sockets.ts'

const WATCH_MS = 10_000

const [streams = 200, sockets = 3, pollIntervalMs = 1_000] = process.argv.slice(2, 5).map(Number)
const total = streams * sockets

const gateway = await GatewayStandIn.start()
const bridge = await startBridge({
  gatewayUrl: gateway.url,
  port: 0,
  limits: { maxTotalSockets: total + 100, maxSockets: sockets + 1 },
  onStatus: (status, reason) => console.error(`the bridge: ${status} ${reason ?? ''}`),
})
const jobs = Array.from({ length: streams }, () => gateway.working({ pollIntervalMs }))
const clients = jobs.flatMap(({ id }) =>
  Array.from({ length: sockets }, () => new Client(bridge.url, id)),
)
const idle = await useOf(await workerd())

console.error(`connecting ${total} sockets to ${streams} streams`)
const connectMs = await timeOf(() => connectAll(clients))
await sleep(2_000)

gateway.looks = []
const before = await useOf(await workerd())
await sleep(WATCH_MS)
const watched = await useOf(await workerd())
const looksPerSecond = Math.round(gateway.looks.length / (WATCH_MS / 1000))

console.error('killing the bridge')
const pid = await workerd()
const back = await reconnectAll(clients, () => process.kill(pid, 'SIGKILL'))
const at = (part: number) =>
  Math.round(back[Math.min(back.length - 1, Math.floor(part * total))] ?? 0)

console.error('ending all jobs')
const endMs = await timeOf(async () => {
  for (const job of jobs) gateway.complete(job)
  await Promise.all(clients.map(({ ended }) => ended))
})
await sleep(500)
const wrong = clients.filter(({ messages }) =>
  ['stream/chunk', 'stream/end'].some((method) => messages.get(method) !== 1),
)
const after = await useOf(await workerd())

const perSocket = (megabytes: number) => Math.round((megabytes * 1024) / total)
console.log(
  JSON.stringify(
    {
      streams,
      sockets: total,
      pollIntervalMs,
      connect: { ms: connectMs, perSecond: Math.round((total / connectMs) * 1000) },
      memoryMb: { idle: idle.memoryMb, connected: watched.memoryMb, afterAll: after.memoryMb },
      kilobytesPerSocket: perSocket(watched.memoryMb - idle.memoryMb),
      files: watched.files,
      coresInUse: Number(((watched.cpuSeconds - before.cpuSeconds) / (WATCH_MS / 1000)).toFixed(2)),
      looksPerSecond,
      reconnectedMs: { first: at(0), p10: at(0.1), p50: at(0.5), p90: at(0.9), last: at(1) },
      mostReconnectedInASecond: mostWithin(back, 1_000),
      refusedHandshakes: clients.reduce((sum, { failures }) => sum + failures, 0),
      mostRefusedToOneClient: Math.max(...clients.map(({ failures }) => failures)),
      lastEndAfterMs: endMs,
      notExactlyOneChunkAndEnd: wrong.length,
    },
    undefined,
    2,
  ),
)
await bridge.close()
await gateway.close()
process.exit(wrong.length === 0 ? 0 : 1)

/** The process of the bridge that runs now. */
async function workerd(): Promise<number> {
  const [pid] = await ownWorkerds()
  if (pid === undefined) throw new Error('the bridge has ended')
  return pid
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return Math.round(performance.now() - startedAt)
}

/** @param times ascending. */
function mostWithin(times: readonly number[], windowMs: number): number {
  let most = 0
  for (let from = 0, to = 0; to < times.length; to++) {
    while ((times[to] ?? 0) - (times[from] ?? 0) > windowMs) from++
    most = Math.max(most, to - from + 1)
  }
  return most
}
