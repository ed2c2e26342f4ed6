// What the audit log costs: calls of a host with it and of one without, in turns.
// Run: node bench/audit.ts (with components built). Compare columns of one run; machines differ and are shared.
import { join } from 'node:path'
import { startHostile } from '../test/hostile/support/application.ts'
import { gatewayOver } from '../test/hostile/support/publisher.ts'
import { built } from '../test/hostile/support/wat.ts'
import { median } from './statistics.ts'

const ROUNDS = Number(process.argv[2] ?? 30)
const CALLS = 100

const components = async () => ({
  'mcp-gateway': await gatewayOver(['echo'], { catalog_ttl_ms: '600000' }),
  echo: { wasm: await built('echo'), route: false as const },
})

/** Arguments of nearly 4 MiB; `echo` ignores what it does not know. */
const LARGE: readonly [name: string, more: unknown][] = [
  ['a list of 1.9 million numbers', Array.from({ length: 1_900_000 }, () => 7)],
  ['one text', 'x'.repeat(3_900_000)],
  ['250,000 members', Object.fromEntries(Array.from({ length: 250_000 }, (_, n) => [`k${n}`, 7]))],
]

const off = await startHostile(await components(), { workers: 1 })
const folder = off.folder
const on = await startHostile(await components(), {
  workers: 1,
  auditLog: join(folder, 'audit.jsonl'),
})
const hosts = [off, on]

async function call(url: string, params: unknown): Promise<number> {
  const started = performance.now()
  const response = await fetch(`${url}/invoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tool: 'echo', params }),
  })
  const text = await response.text()
  if (response.status !== 200) console.log(response.status, text.slice(0, 200))
  return performance.now() - started
}

const small = { message: 'Hello' }
for (const { url } of hosts) for (let n = 0; n < 200; n++) await call(url, small)
const medians: number[][] = [[], []]
/** Of this process: clients, main thread and worker. */
const cpu: number[][] = [[], []]
for (let round = 0; round < ROUNDS; round++) {
  for (const which of round % 2 === 0 ? [0, 1] : [1, 0]) {
    const times: number[] = []
    const before = process.cpuUsage()
    for (let n = 0; n < CALLS; n++) times.push(await call(hosts[which]?.url ?? '', small))
    const { user, system } = process.cpuUsage(before)
    cpu[which]?.push((user + system) / 1000 / CALLS)
    medians[which]?.push(median(times))
  }
}
const shown = (values: number[][]) => values.map((all) => median(all).toFixed(3)).join(' and ')
console.log(`ms of a call without and with: p50 ${shown(medians)}, of the processor ${shown(cpu)}`)
const more = (values: number[][]) =>
  median((values[0] ?? []).map((value, round) => (values[1]?.[round] ?? 0) - value)).toFixed(3)
console.log(`more with it, in the same round: p50 ${more(medians)}, of the processor ${more(cpu)}`)

for (const [name, extra] of LARGE) {
  const times: number[][] = [[], []]
  for (let n = 0; n < 3; n++) {
    for (const which of [0, 1])
      times[which]?.push(await call(hosts[which]?.url ?? '', { ...small, extra }))
  }
  const [a = 0, b = 0] = times.map((all) => median(all))
  console.log(
    `${name}: ${a.toFixed(0)} ms without, ${b.toFixed(0)} with, ratio ${(b / a).toFixed(2)}`,
  )
}
for (const { close } of [on, off]) await close()
