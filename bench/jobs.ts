// Many jobs at once on the embedded host, each with three subscribers: what each of them receives, how fast a job
// starts, and the memory it takes. Run: npm run bench. The simulator and all subscribers run on the same machine.
import { type LoadResult, runLoad, type Told } from '../test/jobs/load.ts'
import { asStream } from '../test/jobs/starters.ts'
import { tinyApplication } from '../test/jobs/tiny.ts'
import { startWorld } from '../test/jobs/world.ts'
import { build } from './application.ts'
import { Report } from './report.ts'
import { median, milliseconds, p95 } from './statistics.ts'

const SIZES = [1, 20, 200, 1_000]
/** Clients that start jobs at the same time. */
const CLIENTS = 4
/** Jobs without a subscriber, one after the other, before the load. */
const WARM_UP = 10
const ALONE = 50
/** ComfyUI renders one job after the other, so the jobs pile up and the subscribers wait for all of them at once. */
const RENDER_SECONDS = 0.05

/** Milliseconds the median `stream/start` may take without load. */
const START_BUDGET_MS = 100

export async function jobs(report: Report): Promise<void> {
  const tiny = await tinyApplication()
  const table = report.table(
    'Many jobs at once',
    ...['jobs', 'start alone p50 ms', '  p95', 'start in the load p50', ' p95', 'total s'],
    ...[
      'told once',
      'failed',
      'refused starts',
      'refused reads',
      'rendered',
      'host MiB (peak, after)',
    ],
    ...['bridge MiB (peak, after)', 'each with a WebSocket, an NDJSON and a polling subscriber'],
  )
  try {
    for (const size of SIZES) {
      const world = await startWorld({ manifest: tiny.manifest, renderSeconds: RENDER_SECONDS })
      try {
        await tiny.allowLongQueue(world.comfyui.url)
        for (let i = 0; i < WARM_UP; i++) await asStream(world)
        const alone: number[] = []
        for (let i = 0; i < ALONE; i++) {
          const sent = performance.now()
          await asStream(world)
          alone.push(performance.now() - sent)
        }
        const result = await runLoad(world, { jobs: size, clients: CLIENTS })
        table.row(...describe(result, alone, world.comfyui.taken))
        for (const reason of new Set(result.told.WebSocket.map((told) => told.reason))) {
          if (reason !== undefined) console.log(`Some failed: ${reason}`)
        }
        if (median(alone) > START_BUDGET_MS) {
          console.log(`A stream/start should take less than ${START_BUDGET_MS} ms.`)
        }
      } finally {
        await world.close()
      }
    }
  } finally {
    await tiny.remove()
  }
}

function describe(
  { ids, starts, refusedStarts, told, totalMs, memory: { host, bridge } }: LoadResult,
  alone: readonly number[],
  taken: readonly string[],
): string[] {
  const all: Told[] = Object.values(told).flat()
  const once = all.filter(({ chunks, ends }) => chunks === 1 && ends === 1)
  const rendered = ids.map((id) => taken.filter((other) => other === id).length)
  const right = rendered.filter((times) => times === 1)
  return [
    String(ids.length),
    ...[alone, starts].flatMap((times) => [milliseconds(median(times)), milliseconds(p95(times))]),
    (totalMs / 1000).toFixed(1),
    `${once.length}/${3 * ids.length}`,
    String(all.filter(({ completed }) => !completed).length),
    String(refusedStarts),
    String(all.reduce((sum, { refusals }) => sum + refusals, 0)),
    right.length === ids.length ? 'once' : `${right.length}/${ids.length}`,
    ...[host, bridge].map(
      ({ before, peak, after }) => `${before.toFixed(0)} (${peak.toFixed(0)}, ${after.toFixed(0)})`,
    ),
    '',
  ]
}

if (import.meta.main) {
  await build()
  await jobs(new Report())
}
