// What the audit log costs: calls of a host with it and of one without, in turns; each in a process of its own.
// Run: node bench/audit.ts [ROUNDS] [--sandboxed] (with components built). Compare columns of one run; machines differ and are shared.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { nativeGateway } from '../cli/src/build/native-gateway.ts'
import { writeApplication } from '../test/hostile/support/application.ts'
import { startMeasured } from '../test/support/measured-host.ts'
import { CACHE_DIR } from './application.ts'
import { gatewayOver } from '../test/hostile/support/publisher.ts'
import { built } from '../test/hostile/support/wat.ts'
import { median } from './statistics.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sandboxed: { type: 'boolean', default: false } },
})
const ROUNDS = Number(positionals[0] ?? 100)
const CALLS = 30

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

const { folder, manifest, remove } = await writeApplication(await components())
const native = values.sandboxed ? undefined : (await nativeGateway()).code
const start = (auditLog?: string) =>
  startMeasured({
    nativeGateway: native,
    manifest,
    workers: 1,
    cacheDir: CACHE_DIR,
    stateDir: '',
    ...(auditLog && { auditLog }),
  })
const hosts = [await start(), await start(join(folder, 'audit.jsonl'))]

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
for (let round = 0; round < ROUNDS; round++) {
  for (const which of round % 2 === 0 ? [0, 1] : [1, 0]) {
    const times: number[] = []
    for (let n = 0; n < CALLS; n++) times.push(await call(hosts[which]?.url ?? '', small))
    medians[which]?.push(median(times))
  }
}
const [without = [], withLog = []] = medians
const more = without.map((value, round) => (withLog[round] ?? 0) - value)
const [a, b, c] = [without, withLog, more].map((all) => median(all).toFixed(3))
console.log(`p50 of a call: ${a} ms without, ${b} with; more in the same round: ${c} ms`)

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
for (const { close } of hosts) await close()
await remove()
