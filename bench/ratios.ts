// What the gateway, the SDK and Zod add to bare components of the same engine, and this host against another one.
// Run: npm run bench -- --section ratios. Compare rows of one run; machines differ and are shared.
import { type Loaded, type LoadOptions, inTurns, SHOTS, type Subject } from './load.ts'
import type { Report, Table } from './report.ts'
import type { BenchOptions } from './options.ts'
import { createSender, CLIENTS } from './sender.ts'
import { serve } from './serving.ts'
import { milliseconds } from './statistics.ts'

const CONNECTIONS = [1, 4]

/** Of the throughput of the bare chain, what a `tools/call` should keep. */
const LEAST_OF_BARE = 0.8
/** Milliseconds that Zod may add to a request. */
const MOST_FOR_ZOD = 0.3

export async function ratios(report: Report, { quick, against }: BenchOptions): Promise<void> {
  const pace = quick ? { seconds: 0.5, rounds: 5 } : { seconds: 1, rounds: 15 }
  const host = await serve({ workers: 1 })
  try {
    await know(host.url)
    const at = (url: string, cpu?: Subject['cpu']) => (name: string, key: keyof typeof SHOTS) => ({
      name,
      url,
      shot: SHOTS[key],
      cpu,
    })
    const here = at(host.url, host.cpu)
    const titles = [
      'connections',
      'requests/s',
      '   p50 ms',
      '   p99 ms',
      'ratio',
      'ms more',
      'cpu ms',
    ]
    const chain = report.table('A call against the bare chain', ...titles, 'what')
    for (const connections of CONNECTIONS) {
      const load = { ...pace, connections }
      const subjects = [
        here('bare gateway, bare tool', 'bare'),
        here(`gateway, Zod tool (ratio: at least ${LEAST_OF_BARE})`, 'gateway'),
        here('gateway, tool without Zod', 'gatewayPlain'),
        here('gateway, Zod tool, 2025-11-25', 'gateway2025'),
        here('gateway, Zod tool, 2026-07-28', 'gateway2026'),
      ]
      await compare(chain, subjects, load)
    }
    const zod = report.table('A tool with Zod against one without', ...titles, 'what')
    for (const connections of CONNECTIONS) {
      const subjects = [
        here('tool without Zod', 'plain'),
        here(`tool with Zod (ms more: at most ${MOST_FOR_ZOD})`, 'zod'),
        here('tool with zod/mini', 'zodMini'),
        here('constant answer, no SDK', 'constant'),
      ]
      await compare(zod, subjects, { ...pace, connections })
    }
    if (against === undefined) return
    const there = at(against)
    await know(against)
    const other = report.table(`This host against ${against}`, ...titles, 'what')
    for (const connections of CONNECTIONS) {
      for (const [name, key] of FIXTURES) {
        const subjects = [there(`${name}, there`, key), here(`${name}, here`, key)]
        await compare(other, subjects, { ...pace, connections })
      }
    }
  } finally {
    await host.close()
  }
}

const FIXTURES = [
  ['constant answer', 'constant'],
  ['bare chain', 'bare'],
  ['gateway, Zod tool', 'gateway'],
] as const

/** The first is what the others are compared with. */
async function compare(
  table: Table,
  subjects: readonly Subject[],
  load: LoadOptions,
): Promise<void> {
  const [base, ...others] = await inTurns(subjects, load)
  if (!base) return
  for (const loaded of [base, ...others]) row(table, load.connections, loaded, base)
}

function row(table: Table, connections: number, loaded: Loaded, base: Loaded): void {
  const { name, perSecond, p50, p99, cpu } = loaded
  const first = loaded === base
  table.row(
    ...[String(connections), perSecond.toFixed(0), milliseconds(p50), milliseconds(p99)],
    first ? '' : (perSecond / base.perSecond).toFixed(2),
    // Of the machine's time, not of the client's: that would count the others in the queue.
    first ? '' : milliseconds(1000 / perSecond - 1000 / base.perSecond),
    Number.isNaN(cpu) ? '' : milliseconds(cpu),
    name,
  )
}

/** Lets the gateway learn of its tools. */
async function know(url: string): Promise<void> {
  const sender = createSender(url)
  await sender.send(CLIENTS.plain('tools/list', {}))
  sender.close()
}
