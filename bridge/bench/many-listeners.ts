/**
 * Many streams with several listeners each: what they cost, and whether each listener gets its one chunk and end.
 *
 *     node bridge/bench/many-listeners.ts [streams] [sockets a stream] [query]
 */
import { readdir, readFile } from 'node:fs/promises'
import { GatewayStandIn, listen, sleep } from '../src/gateway-stand-in.ts'
import { ComfyStandIn } from '../src/live/comfyui-stand-in.ts'
import { startBridge } from '../src/local.ts'

const [streams = 200, sockets = 3] = process.argv.slice(2, 4).map(Number)
const query = process.argv[4] ?? ''

const gateway = await GatewayStandIn.start()
const comfyui = await ComfyStandIn.start()
const bridge = await startBridge({
  gatewayUrl: gateway.url,
  port: 0,
  comfyuiUrls: { a: comfyui.url },
})

const idleMb = await memoryMb()
const jobs = Array.from({ length: streams }, () => gateway.working({ pollIntervalMs: 1_000 }))
const startedAt = performance.now()
const listeners = jobs.flatMap(({ id }) =>
  Array.from({ length: sockets }, () => listen(bridge.url, id + query)),
)
await Promise.all(
  listeners.map(({ socket }) => new Promise((resolve) => (socket.onopen = resolve))),
)
const connectMs = performance.now() - startedAt
gateway.looks = []
for (let value = 1; value <= 50; value++) {
  for (const { id } of jobs) comfyui.step(id, value, 50)
  await sleep(100)
}
const looks = gateway.looks.length
const busyMb = await memoryMb()

const endedAt = performance.now()
for (const job of jobs) gateway.complete(job)
await Promise.all(listeners.map(({ ended }) => ended))
const endMs = performance.now() - endedAt
await Promise.all(listeners.map(({ closed }) => closed))
await sleep(1_000)

const count = (method: string) =>
  listeners.map(({ messages }) => messages.filter((message) => message.method === method).length)
const wrong = listeners.filter(
  (_, index) => count('stream/chunk')[index] !== 1 || count('stream/end')[index] !== 1,
)
console.log(
  JSON.stringify({
    listeners: listeners.length,
    query,
    connectMs: Math.round(connectMs),
    looksIn5s: looks,
    socketsToComfyUi: comfyui.attached.length,
    progressMessages: count('stream/progress').reduce((sum, n) => sum + n, 0),
    lastEndAfterMs: Math.round(endMs),
    notExactlyOneChunkAndEnd: wrong.length,
    workerdMb: { idle: idleMb, busy: busyMb, after: await memoryMb() },
  }),
)
await bridge.close()
await gateway.close()
await comfyui.close()

/** Resident memory of the workerd this process has started. */
async function memoryMb(): Promise<number | undefined> {
  for (const pid of await readdir('/proc').catch(() => [])) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    if (!status.includes(`PPid:\t${process.pid}\n`) || !status.includes('workerd')) continue
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
  }
  return undefined
}
