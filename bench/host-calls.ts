// Where the rest goes: what one call asks of the host. On a real Spin a key-value or variable call costs half a
// millisecond, whatever it does.
// Run: npm run bench -- --section host-calls.
import { SHOTS } from './load.ts'
import type { Report } from './report.ts'
import { CLIENTS, createSender } from './sender.ts'
import { serve } from './serving.ts'

/** Enough that timers and turns of the event loop, which vary, come out as an average. */
const CALLS = 20

const GROUPS: [name: string, pattern: RegExp][] = [
  ['key-value', /key-value/],
  ['variables', /variables/],
  ['hops', /outgoing-handler/],
  ['random', /random/],
  ['clocks', /clock/],
  ['polls', /io\/poll/],
  ['streams', /io\/streams/],
  ['http', /http\/types/],
]

const ROWS: [name: string, key: keyof typeof SHOTS][] = [
  ['constant answer', 'constant'],
  ['bare chain', 'bare'],
  ['tool without Zod', 'plain'],
  ['gateway, Zod tool', 'gateway'],
  ['gateway, Zod tool, 2025-11-25', 'gateway2025'],
  ['gateway, Zod tool, 2026-07-28', 'gateway2026'],
]

export async function hostCalls(report: Report): Promise<void> {
  const host = await serve({ workers: 1, counting: true })
  const sender = createSender(host.url)
  const names = GROUPS.map(([name]) => name)
  const columns = [...names, 'all', 'bytes in', 'bytes out']
  const table = report.table('What one request asks of the host', ...columns, 'what')
  try {
    await sender.send(CLIENTS.plain('tools/list', {}))
    for (const [name, key] of ROWS) {
      const shot = SHOTS[key]
      const answer = await sender.send(shot)
      await settled()
      await host.calls()
      for (let i = 0; i < CALLS; i++) await sender.send(shot)
      await settled()
      const calls = Object.entries(await host.calls())
      const count = (pattern: RegExp) =>
        calls.reduce((sum, [call, times]) => sum + (pattern.test(call) ? times : 0), 0) / CALLS
      table.row(
        ...GROUPS.map(([, pattern]) => count(pattern).toFixed(1)),
        count(/(?:)/).toFixed(1),
        String('body' in shot ? shot.body?.length : 0),
        String(answer.length),
        name,
      )
    }
  } finally {
    sender.close()
    await host.close()
  }
}

/** Counts travel between threads as messages. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 300))
}
