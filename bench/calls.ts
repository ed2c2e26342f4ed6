// What a call costs on the embedded host: keep-alive, whole requests seen from outside.
// Run: npm run bench. Compare rows of one run; machines differ and are shared.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHost } from 'ftl-host'
import { MANIFESTS } from '../test/support/manifests.ts'
import { build, CACHE_DIR } from './application.ts'
import { CLIENTS, createSender, type Sender, type Shot } from './sender.ts'
import { Report } from './report.ts'
import { median, milliseconds, p99 } from './statistics.ts'

const WARM_UP = 50
const CALLS = 1000

const ECHO = { name: 'echo', arguments: { message: 'Hello' } }

const ROWS: [name: string, shot: Shot][] = [
  ['well-known route, no component', { path: '/.well-known/spin/health' }],
  ['one component: MCP ping', CLIENTS.plain('ping', {})],
  ['two components: tools/call echo', CLIENTS.plain('tools/call', ECHO)],
  ['two components: tools/call echo, 2026-07-28', CLIENTS['2026-07-28']('tools/call', ECHO)],
  ['four components: tools/list', CLIENTS.plain('tools/list', {})],
]

export async function calls(report: Report): Promise<void> {
  const stateDir = await mkdtemp(join(tmpdir(), 'ftl-bench-'))
  const host = await startHost({
    manifest: MANIFESTS.application,
    listen: '127.0.0.1:0',
    stateDir,
    cacheDir: CACHE_DIR,
  })
  const sender = createSender(host.url)
  const columns = ['connections', '   p50 ms', '   p99 ms', 'requests/s', 'what']
  const table = report.table('Calls from one process', ...columns)
  for (const [name, shot] of ROWS) {
    for (let i = 0; i < WARM_UP; i++) await sender.send(shot)
    for (const connections of [1, 4]) {
      const { times, perSecond } = await measure(sender, shot, connections)
      table.row(
        String(connections),
        milliseconds(median(times)),
        milliseconds(p99(times)),
        perSecond.toFixed(0),
        name,
      )
    }
  }
  sender.close()
  await host.close()
  await rm(stateDir, { recursive: true, force: true })
}

async function measure(
  sender: Sender,
  shot: Shot,
  connections: number,
): Promise<{ times: number[]; perSecond: number }> {
  const times: number[] = []
  let left = CALLS
  const began = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) {
        const started = performance.now()
        await sender.send(shot)
        times.push(performance.now() - started)
      }
    }),
  )
  return { times, perSecond: (CALLS / (performance.now() - began)) * 1000 }
}

if (import.meta.main) {
  await build()
  await calls(new Report())
}
