// What more threads bring, and what many connections do.
// Run: npm run bench -- --section workers. The load generator runs on the same machine.
import { inTurns, SHOTS } from './load.ts'
import type { BenchOptions } from './options.ts'
import type { Report } from './report.ts'
import { CLIENTS, createSender } from './sender.ts'
import { serve } from './serving.ts'
import { milliseconds } from './statistics.ts'

const WORKERS = [1, 2]
const CONNECTIONS = [1, 4, 16, 64]

export async function workers(report: Report, { quick }: BenchOptions): Promise<void> {
  const pace = quick ? { seconds: 1, rounds: 1 } : { seconds: 3, rounds: 3 }
  const titles = ['connections', 'workers', 'requests/s', '   p50 ms', '   p99 ms', 'ratio', 'MiB']
  const table = report.table('tools/call by threads and connections', ...titles, '')
  const hosts = await Promise.all(WORKERS.map((count) => serve({ workers: count })))
  try {
    for (const { url } of hosts) {
      const sender = createSender(url)
      await sender.send(CLIENTS.plain('tools/list', {}))
      sender.close()
    }
    for (const connections of CONNECTIONS) {
      const subjects = hosts.map(({ url }, index) => ({
        name: String(WORKERS[index]),
        url,
        shot: SHOTS.gateway,
      }))
      const loaded = await inTurns(subjects, { ...pace, connections })
      const [base] = loaded
      for (const [index, { name, perSecond, p50, p99 }] of loaded.entries()) {
        const memory = (await hosts[index]?.memory()) ?? 0
        table.row(
          ...[String(connections), name, perSecond.toFixed(0), milliseconds(p50)],
          ...[milliseconds(p99), (perSecond / (base?.perSecond ?? Number.NaN)).toFixed(2)],
          ...[(memory / 2 ** 20).toFixed(0), ''],
        )
      }
    }
  } finally {
    for (const host of hosts) await host.close()
  }
}
