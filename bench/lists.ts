// What tools/list costs with many components and with one that never answers, and what happens inside meanwhile.
// Run: npm run bench. Compare rows of one run; machines differ and are shared.
import { recordRequests } from '../test/support/internal-requests.ts'
import { type Application, build, startApplication } from './application.ts'
import { CLIENTS, createSender, type Sender } from './sender.ts'
import { Report } from './report.ts'
import { median, milliseconds, p95 } from './statistics.ts'

/** Applications that are measured in turns, so that whatever else the machine does slows all of them down. */
interface Group {
  /** How many components each application has. */
  sizes: number[]
  /** Each application has one more, which never answers. @default false */
  dead?: boolean
  /** `catalog_ttl_ms`. @default the gateway's own, 5000 */
  ttlMs?: number
  /** Lists of each kind; few where each waits for the discovery deadline (2 s by default). */
  first: number
  following: number
}

const GROUPS: Group[] = [
  { sizes: [1, 10, 50], first: 30, following: 200 },
  { sizes: [1, 10, 50], ttlMs: 0, first: 30, following: 100 },
  { sizes: [9], dead: true, first: 5, following: 200 },
  { sizes: [9], dead: true, ttlMs: 0, first: 5, following: 5 },
]

/** Lists before any is measured: the engine compiles what runs often while it runs. */
const WARM_UP = 10

const LIST = CLIENTS['2026-07-28']('tools/list', {})

/** An application and what was measured of it. */
interface Subject {
  size: number
  application: Application
  sender: Sender
}

interface Measured {
  size: number
  times: number[]
  /** Requests to components, of each list. */
  inside: number[]
  /** Lists that lacked a tool of a component that lives. */
  incomplete: number
}

export async function lists(report: Report): Promise<void> {
  const table = report.table(
    'Lists',
    ...['components', 'ttl ms', 'median ms', '   p95 ms', 'ratio', 'inside', 'incomplete'],
    'tools/list',
  )
  /** Medians with one component, by time to live and kind of list. */
  const base = new Map<string, number>()
  for (const { sizes, dead = false, ttlMs, first, following } of GROUPS) {
    const subjects: Subject[] = []
    for (const size of sizes) {
      const application = await startApplication({ components: size, dead, ttlMs })
      subjects.push({ size, application, sender: createSender(application.url) })
    }
    const ttl = String(ttlMs ?? 5000)
    const print = (kind: string, measured: Measured[]) => {
      for (const { size, times, inside, incomplete } of measured) {
        const key = `${ttl} ${kind}`
        if (size === 1) base.set(key, median(times))
        table.row(
          String(dead ? size + 1 : size),
          ttl,
          milliseconds(median(times)),
          milliseconds(p95(times)),
          (median(times) / (base.get(key) ?? Number.NaN)).toFixed(1),
          String(median(inside)),
          `${incomplete}/${times.length}`,
          `${kind}${dead ? ', one component never answers' : ''}`,
        )
      }
    }
    try {
      if (!dead) {
        print('first after the start', await measure(subjects, 1, true))
        await measure(subjects, WARM_UP, true)
      }
      print('first (nothing known)', await measure(subjects, first, true))
      print('following', await measure(subjects, following, false))
    } finally {
      for (const { application, sender } of subjects) {
        sender.close()
        await application.close()
      }
    }
  }
}

async function measure(
  subjects: readonly Subject[],
  count: number,
  forgetting: boolean,
): Promise<Measured[]> {
  const all = subjects.map(({ size }): Measured => ({ size, times: [], inside: [], incomplete: 0 }))
  for (let i = 0; i < count; i++) {
    for (const [index, { size, application, sender }] of subjects.entries()) {
      if (forgetting) application.forget()
      const { requests, value, milliseconds: time } = await recordRequests(() => sender.send(LIST))
      const { result } = JSON.parse(value) as { result: { tools: unknown[] } }
      const measured = all[index]
      if (!measured) continue
      measured.times.push(time)
      measured.inside.push(requests.length)
      if (result.tools.length !== size) measured.incomplete++
    }
  }
  return all
}

if (import.meta.main) {
  await build()
  await lists(new Report())
}
