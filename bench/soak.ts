// Everything at once for minutes: answers, memory, files, threads. Run: node bench/soak.ts --minutes 10
// With --hostile: good traffic beside every hostile component and client; exits with 1 when a property does not hold.
//   node bench/soak.ts --hostile --minutes 10 [--rate 50] [--max-blocking-ms 250] [--computing-pause-ms 8000]
//     [--only "busy-loop,slow heads"] [--sandboxed]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadApplication } from 'ftl/application'
import { buildComponents } from 'ftl/build'
import { allInstancesServe, soak, startSoakHost, type Tally } from '../test/host/soak.ts'
import { nativeGateway } from '../cli/src/build/native-gateway.ts'
import { MEGABYTE } from '../test/host/slow-reader.ts'
import { MANIFESTS } from '../test/support/manifests.ts'
import { build, CACHE_DIR } from './application.ts'
import { Report } from './report.ts'
import { soakHostile } from './soak-hostile.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    hostile: { type: 'boolean', default: false },
    rate: { type: 'string' },
    'max-blocking-ms': { type: 'string' },
    'computing-pause-ms': { type: 'string' },
    only: { type: 'string' },
    sandboxed: { type: 'boolean', default: false },
  },
})
const minutes = Number(values.minutes)

if (values.hostile) {
  const { application, conformance, hostile, crowd } = MANIFESTS
  for (const manifest of [application, conformance, hostile, crowd]) {
    await buildComponents((await loadApplication(manifest)).targets, { cacheFolder: CACHE_DIR })
  }
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text))
  const holds = await soakHostile({
    seconds: minutes * 60,
    perSecond: number(values.rate),
    maxBlockingMs: number(values['max-blocking-ms']),
    computingPauseMs: number(values['computing-pause-ms']),
    only: values.only?.split(','),
    nativeGateway: values.sandboxed ? undefined : (await nativeGateway()).code,
  })
  process.exit(holds ? 0 : 1)
}

await build()
await buildComponents((await loadApplication(MANIFESTS.hostile)).targets, {
  cacheFolder: CACHE_DIR,
})
const stateDir = await mkdtemp(join(tmpdir(), 'ftl-soak-'))
const host = await startSoakHost(stateDir)
const report = new Report()
const rest = () => new Promise((resolve) => setTimeout(resolve, 2000))
const totals = new Map<string, Tally>()

const table = report.table(
  'The process, at rest after each part',
  ...[
    'minute',
    'RSS MiB',
    'peak MiB',
    'heap MiB',
    'buffers',
    'files',
    'threads',
    'handles',
    'workers lost',
    'note',
  ],
)
const row = async (minute: number) => {
  await rest()
  const { rss, peakRss, heapUsed, arrayBuffers, files, threads, resources, lost } =
    await host.figures()
  const handles = Object.values(resources).reduce((sum, count) => sum + count, 0)
  const sizes = [rss, peakRss, heapUsed, arrayBuffers].map((bytes) => (bytes / MEGABYTE).toFixed(0))
  const counts = [files, threads, handles, lost.workers].map(String)
  table.row(minute.toFixed(1), ...sizes, ...counts, minute === 0 ? 'before the first request' : '')
}
await row(0)
const parts = Math.max(2, Math.round(minutes))
for (let part = 1; part <= parts; part++) {
  for (const tally of await soak(host.url, (minutes * 60) / parts)) {
    const { right, failed, wrong } = totals.get(tally.kind) ?? { right: 0, failed: 0, wrong: [] }
    totals.set(tally.kind, {
      kind: tally.kind,
      right: right + tally.right,
      failed: failed + tally.failed,
      wrong: [...wrong, ...tally.wrong],
    })
  }
  await row((minutes * part) / parts)
}
const requests = report.table('Requests', '  right', ' failed', '  wrong', 'kind')
for (const { kind, right, failed, wrong } of totals.values()) {
  requests.row(...[right, failed, wrong.length].map(String), kind)
}
const { lost } = await host.figures()
console.log(
  `\nfailed under ${lost.workers} workers that were lost: ${lost.failed}, sent again: ${lost.repeated}`,
)
console.log(`every instance still serves: ${await allInstancesServe(host.url)}`)
for (const { kind, wrong } of totals.values()) {
  for (const what of wrong.slice(0, 5)) console.log(`wrong: ${kind}, ${what}`)
}
await host.close()
await rm(stateDir, { recursive: true, force: true })
