// How many requests inside the application one tools/call causes when the tools are known, and what it takes.
// Run: npm run bench. Compare rows of one run; machines differ and are shared.
import { recordRequests } from '../test/support/internal-requests.ts'
import { type Application, build, startApplication } from './application.ts'
import { CLIENTS, createSender, type Sender, type Shot } from './sender.ts'
import { Report } from './report.ts'
import { median, milliseconds, p95 } from './statistics.ts'

const SIZES = [1, 10, 50]
const WARM_UP = 50
const CALLS = 300

interface Subject {
  size: number
  client: string
  shot: Shot
  sender: Sender
  times: number[]
  /** Requests to components, of each call. */
  inside: number[]
}

export async function internalRequests(report: Report): Promise<void> {
  const table = report.table(
    'Requests inside the application',
    ...['components', 'ttl ms', 'median ms', '   p95 ms', 'ratio', 'inside, fewest and most'],
    'tools/call of',
  )
  // 0 is the strictest: nothing that is known counts as new.
  for (const ttlMs of [undefined, 0]) {
    const applications: Application[] = []
    const subjects: Subject[] = []
    try {
      for (const size of SIZES) {
        const application = await startApplication({ components: size, ttlMs })
        applications.push(application)
        const sender = createSender(application.url)
        await sender.send(CLIENTS.plain('tools/list', {}))
        for (const [client, shotOf] of Object.entries(CLIENTS)) {
          const shot = shotOf('tools/call', { name: 'echo', arguments: { message: 'Hello' } })
          subjects.push({ size, client, shot, sender, times: [], inside: [] })
        }
      }
      // In turns, so that whatever else the machine does slows all of them down.
      for (let i = -WARM_UP; i < CALLS; i++) {
        for (const subject of subjects) await call(subject, i >= 0)
      }
      for (const { size, client, times, inside } of subjects) {
        const alone = subjects.find((other) => other.size === 1 && other.client === client)
        table.row(
          ...[String(size), String(ttlMs ?? 5000)],
          ...[milliseconds(median(times)), milliseconds(p95(times))],
          (median(times) / median(alone?.times ?? [])).toFixed(1),
          `${Math.min(...inside)} to ${Math.max(...inside)}`,
          client === 'plain' ? 'a plain client' : client,
        )
      }
    } finally {
      for (const { sender } of subjects) sender.close()
      for (const application of applications) await application.close()
    }
  }
}

async function call({ shot, sender, times, inside }: Subject, counts: boolean): Promise<void> {
  const { requests, value, milliseconds: time } = await recordRequests(() => sender.send(shot))
  if (!value.includes('"Hello"')) throw new Error(`not an echo: ${value}`)
  if (!counts) return
  times.push(time)
  inside.push(requests.length)
}

if (import.meta.main) {
  await build()
  await internalRequests(new Report())
}
