// How the cost of a request grows: with tools, callers, bytes and connections. Jobs are in jobs.ts.
// Run: npm run bench -- --section growth. Compare rows of one table; machines differ and are shared.
import { inTurns, type LoadOptions } from '../load.ts'
import type { BenchOptions } from '../options.ts'
import type { Report, Table } from '../report.ts'
import { CLIENTS, createSender, type Shot } from '../sender.ts'
import type { Serving } from '../serving.ts'
import { median, milliseconds, p95 } from '../statistics.ts'
import { buildMany, serveMany } from './application.ts'

const TOOLS = [10, 100, 1_000, 5_000]
const CALLERS = [1, 10, 100]
const BYTES = [1_000, 100_000, 4_000_000]
const CONNECTIONS = [1, 2, 4, 8, 16, 32, 64]

const COLUMNS = ['p50 ms', 'p95 ms', 'cpu ms', '   KB']

export async function growth(report: Report, { quick }: BenchOptions): Promise<void> {
  await buildMany()
  const rounds = quick ? 10 : 60
  await byTools(report.table('By the number of tools', 'tools', ...COLUMNS, 'request'), rounds)
  await byCallers(
    report.table(
      'By callers with a policy rule each, 1,000 tools',
      'callers',
      ...COLUMNS,
      'request',
    ),
    rounds,
  )
  await byBytes(report.table('By the size of a call', '  bytes', ...COLUMNS, 'of the'), rounds)
  const load = quick ? { seconds: 0.5, rounds: 3 } : { seconds: 2, rounds: 5 }
  await byConnections(
    report.table('By connections', 'connections', 'calls/s', 'p50 ms', 'p99 ms', 'cpu ms', ''),
    load,
  )
}

async function byTools(table: Table, rounds: number): Promise<void> {
  for (const tools of TOOLS) {
    const serving = await serveMany(tools)
    const requests: Record<string, Shot> = {
      'tools/list as clients get it': CLIENTS.plain('tools/list', {}),
      'tools/list, all tools': { ...CLIENTS.plain('tools/list', {}), path: '/mcp?tools=all' },
      search_tools: call('search_tools', { query: 'refund of an order' }),
      'tools/call': call('sized', { characters: 10 }),
    }
    if (tools < 100) delete requests['search_tools']
    await measure(table, String(tools), serving, requests, rounds)
    await serving.close()
  }
}

async function byCallers(table: Table, rounds: number): Promise<void> {
  for (const callers of CALLERS) {
    const names = Array.from({ length: callers }, (_, index) => `user${index}`)
    const rules = names.map((name, index) => ({
      effect: 'allow',
      principals: [name],
      tools: ['sized', `*_${index % 10}`],
    }))
    const serving = await serveMany(1_000, {
      trust_forwarded_user: 'without-secret',
      policy: JSON.stringify({ rules }),
    })
    let turn = 0
    const next = (shot: Shot) => (): Shot => ({
      ...shot,
      headers: { ...shot.headers, 'x-forwarded-user': names[turn++ % callers] ?? '' },
    })
    const requests = {
      'tools/list': next(CLIENTS.plain('tools/list', {})),
      'tools/call': next(call('sized', { characters: 10 })),
    }
    await measure(table, String(callers), serving, requests, Math.max(rounds, 2 * callers))
    await serving.close()
  }
}

async function byBytes(table: Table, rounds: number): Promise<void> {
  const serving = await serveMany(10, { max_body_bytes: '5000000' })
  for (const bytes of BYTES) {
    const requests = {
      result: call('sized', { characters: bytes }),
      arguments: call('sized', { characters: 10, more: 'x'.repeat(bytes) }),
    }
    await measure(table, String(bytes), serving, requests, bytes > 1e6 ? 10 : rounds)
  }
  await serving.close()
}

async function byConnections(table: Table, load: Omit<LoadOptions, 'connections'>): Promise<void> {
  const serving = await serveMany(10)
  const shot = call('sized', { characters: 10 })
  for (const connections of CONNECTIONS) {
    const subject = { name: 'tools/call', url: serving.url, shot, cpu: serving.cpu }
    const [loaded] = await inTurns([subject], { ...load, connections })
    if (!loaded) continue
    const times = [loaded.p50, loaded.p99, loaded.cpu].map(milliseconds)
    table.row(String(connections), loaded.perSecond.toFixed(0), ...times, loaded.name)
  }
  await serving.close()
}

/** One after the other on one connection, the requests in turns. */
async function measure(
  table: Table,
  size: string,
  serving: Serving,
  requests: Record<string, Shot | (() => Shot)>,
  rounds: number,
): Promise<void> {
  const sender = createSender(serving.url)
  const shots = Object.entries(requests).map(([name, shot]) => ({
    name,
    shot: typeof shot === 'function' ? shot : () => shot,
    times: [] as number[],
    cpu: [] as number[],
    characters: 0,
  }))
  for (let round = -Math.ceil(rounds / 4); round < rounds; round++) {
    for (const each of shots) {
      const cpu = await serving.cpu()
      const began = performance.now()
      const text = await sender.send(each.shot())
      const took = performance.now() - began
      if (round < 0) continue
      each.times.push(took)
      each.cpu.push((await serving.cpu()) - cpu)
      each.characters = text.length
    }
  }
  sender.close()
  for (const { name, times, cpu, characters } of shots) {
    const cells = [median(times), p95(times), cpu.reduce((a, b) => a + b, 0) / cpu.length]
    table.row(size, ...cells.map(milliseconds), (characters / 1000).toFixed(0), name)
  }
}

function call(name: string, args: Record<string, unknown>): Shot {
  return CLIENTS.plain('tools/call', { name, arguments: args })
}
