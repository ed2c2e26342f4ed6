// How long it takes until the first answer, and what a component takes of disk and memory.
// Run: npm run bench -- --section start.
import { stat } from 'node:fs/promises'
import { loadManifest } from 'ftl-host'
import { join } from 'node:path'
import { SHOTS } from './load.ts'
import type { BenchOptions } from './options.ts'
import type { Report } from './report.ts'
import { CLIENTS, createSender } from './sender.ts'
import { MANIFEST, serve } from './serving.ts'
import { median, milliseconds } from './statistics.ts'

export async function start(report: Report, { quick }: BenchOptions): Promise<void> {
  const times = { ready: [] as number[], list: [] as number[], call: [] as number[] }
  const memory = { ready: [] as number[], after: [] as number[] }
  for (let i = 0; i < (quick ? 2 : 7); i++) {
    const host = await serve({ workers: 1 })
    const sender = createSender(host.url)
    try {
      times.ready.push(host.readyMs)
      memory.ready.push(await host.memory())
      times.list.push(await timed(() => sender.send(CLIENTS.plain('tools/list', {}))))
      times.call.push(await timed(() => sender.send(SHOTS.gateway)))
      for (let calls = 0; calls < 50; calls++) await sender.send(SHOTS.gateway)
      memory.after.push(await host.memory())
    } finally {
      sender.close()
      await host.close()
    }
  }
  const { components } = await loadManifest(MANIFEST)
  const table = report.table(`A host of ${components.size} prepared components`, 'value', 'what')
  table.row(`${milliseconds(median(times.ready))} ms`, 'from the process to a host that listens')
  table.row(`${milliseconds(median(times.list))} ms`, 'the first tools/list after it')
  table.row(`${milliseconds(median(times.call))} ms`, 'the first tools/call after that')
  table.row(mebibytes(median(memory.ready)), 'resident, before the first request')
  table.row(mebibytes(median(memory.after)), 'resident, after fifty calls')

  const sizes = report.table('Components', '     bytes', 'component')
  for (const { id, source } of components.values()) {
    if (typeof source !== 'string') continue
    const { size } = await stat(join(MANIFEST, '..', source))
    sizes.row(String(size), id)
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`
}
