/**
 * Good traffic beside every hostile guest and client, and what became of it.
 *
 * Three processes: the host, the attackers, and this one, which sends the good traffic and measures.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Figures, type MeasuredHost, startMeasured } from '../../support/measured-host.ts'
import { CACHE_DIR } from '../../host/fixture.ts'
import { quantile } from '../../../bench/statistics.ts'
import type { AttackersOptions } from './attackers-process.ts'
import { type HostileComponent, writeApplication } from './application.ts'
import { type Acceptance, goodTraffic, probeAcceptance, type Traffic } from './good-traffic.ts'
import { HOSTILE_GUESTS } from './hostile-guests.ts'
import { built } from './wat.ts'

export interface MixedLoadOptions {
  seconds: number
  /** Of good traffic. @default 50 */
  perSecond?: number | undefined
  /** The host's limit for a guest that keeps its thread; what a good request may have to wait. @default 250 */
  maxBlockingMs?: number | undefined
  /**
   * Milliseconds between two calls of guests that compute without a pause. Each takes a worker for `maxBlockingMs`.
   *
   * With two workers and both defaults, 1.5 % of the good requests wait for such a guest.
   *
   * @default 8000
   */
  computingPauseMs?: number | undefined
  /** Source of a gateway that runs beside the components. @default it runs in the sandbox */
  nativeGateway?: string | undefined
  /** Names of the attackers that attack. @default all */
  only?: readonly string[] | undefined
  /**
   * Seconds without any request after the load until the memory must be back, at most: the host stops idle
   * instances a few at a time, and collectors run later.
   *
   * @default 30
   */
  restSeconds?: number | undefined
}

export interface MixedLoad {
  settings: Record<string, number | string>
  good: Traffic
  p50: number
  p99: number
  acceptance: Acceptance
  /** At rest after some good traffic, at the peak, and at rest after the load. In bytes. */
  memory: { before: number; peak: number; after: number }
  figures: Figures
  /** Rounds of each attacker. */
  attacks: Record<string, number>
  /** Attackers that could not attack. */
  problems: Record<string, string>
}

export interface Verdict {
  property: string
  figure: string
  holds: boolean
}

/** The load goes on for so much longer, at most, until every attacker has attacked: some machines are slow. */
const PATIENCE_SECONDS = 45

const MEGABYTE = 1024 * 1024
/** Collectors of a dozen threads give memory back in their own time. */
const MEMORY_MARGIN = 256 * MEGABYTE

export interface Promised {
  /** Part of the good requests that succeed. @default 0.999 */
  success?: number
  /** Milliseconds. @default 250 */
  p99?: number
  /** Milliseconds until a fresh connection is served. @default 1000 */
  accept?: number
}

/** Whether the load kept what is promised. */
export function verdicts(load: MixedLoad, promised: Promised = {}): Verdict[] {
  const { success: leastSuccess = 0.999, p99: longestP99 = 250, accept = 1000 } = promised
  const { good, p99, acceptance, memory } = load
  const success = good.right / good.sent
  const kept = memory.after - memory.before
  const mib = (bytes: number) => `${Math.round(bytes / MEGABYTE)} MiB`
  return [
    {
      property: `good requests succeed (${leastSuccess * 100} %)`,
      figure: `${(success * 100).toFixed(2)} % of ${good.sent}`,
      holds: success >= leastSuccess,
    },
    {
      property: `p99 is under ${longestP99} ms after the first second`,
      figure: `${p99.toFixed(0)} ms (p50 ${load.p50.toFixed(0)} ms)`,
      holds: p99 < longestP99,
    },
    {
      property: 'no answer goes to another caller',
      figure: `${good.wrong.length} wrong`,
      holds: good.wrong.length === 0,
    },
    {
      property: `memory comes back (within ${mib(MEMORY_MARGIN)})`,
      figure: `${mib(memory.before)}, peak ${mib(memory.peak)}, at rest ${mib(memory.after)}`,
      holds: kept < MEMORY_MARGIN,
    },
    {
      property: `a fresh connection is served within ${accept} ms`,
      figure: `worst ${acceptance.worstMs.toFixed(0)} ms, ${acceptance.failed} of ${acceptance.probes} failed`,
      holds: acceptance.failed === 0 && acceptance.worstMs < accept,
    },
  ]
}

export async function mixedLoad({
  seconds,
  perSecond = 50,
  maxBlockingMs = 250,
  computingPauseMs = 8000,
  restSeconds = 30,
  only,
  nativeGateway,
}: MixedLoadOptions): Promise<MixedLoad> {
  const silent = await startSilentServer()
  const application = await writeApplication(await components(silent.address))
  const settings = { workers: 2, maxBlockingMs, abandonedMs: 1000, requestTimeoutMs: 30_000 }
  const host = await startMeasured({
    ...settings,
    nativeGateway,
    manifest: application.manifest,
    cacheDir: CACHE_DIR,
    stateDir: '',
  })
  try {
    // What every request needs is compiled and in memory by then.
    await goodTraffic(host.url, perSecond, 3000)
    await rest(2)
    const before = (await host.figures()).rss
    const attackers = fork(
      fileURLToPath(new URL('./attackers-process.ts', import.meta.url)),
      [JSON.stringify({ url: host.url, only, computingPauseMs } satisfies AttackersOptions)],
      { execArgv: [] },
    )
    // Attackers have machines of their own: what they compute must not take the host's time.
    if (attackers.pid !== undefined) setPriority(attackers.pid, 10)
    let allAttacked = false
    attackers.on('message', (message) => (allAttacked ||= message === 'all'))
    const end = performance.now() + (seconds + PATIENCE_SECONDS) * 1000
    const [good, acceptance] = await Promise.all([
      goodTraffic(
        host.url,
        perSecond,
        seconds * 1000,
        () => !allAttacked && performance.now() < end,
      ),
      probeAcceptance(host.url, seconds * 1000),
    ])
    attackers.send('stop')
    const { counts, problems } = await report(attackers)
    const figures = await atRest(host, before + MEMORY_MARGIN, restSeconds)
    const times = good.times.slice(perSecond)
    return {
      settings: { ...settings, perSecond, seconds, computingPauseMs },
      good,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      acceptance,
      memory: { before, peak: figures.peakRss, after: figures.rss },
      figures,
      attacks: counts,
      problems,
    }
  } finally {
    await host.close()
    await application.remove()
    await silent.close()
  }
}

/** The figures as soon as the memory is back, or after `seconds`. */
async function atRest(host: MeasuredHost, bytes: number, seconds: number): Promise<Figures> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const figures = await host.figures()
    if (figures.rss < bytes || performance.now() >= end) return figures
    await rest(1)
  }
}

interface AttackersReport {
  counts: Record<string, number>
  problems: Record<string, string>
}

/** What the attackers send last. */
async function report(attackers: ChildProcess): Promise<AttackersReport> {
  for (;;) {
    const [message] = (await once(attackers, 'message')) as [AttackersReport | 'all']
    if (message !== 'all') return message
  }
}

const rest = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** The good ones and all of the list. */
async function components(silentServer: string): Promise<Record<string, HostileComponent>> {
  const inside = { route: false, stores: ['default'] } as const
  const good = await built('test/hostile/good')
  const all: Record<string, HostileComponent> = {
    'mcp-gateway': {
      wasm: await built('mcp-gateway'),
      route: '/...',
      allowedHosts: ['http://*.spin.internal'],
      stores: ['default'],
      variables: { tool_components: 'echo,calculator,tasks,code,crowd' },
    },
    echo: { wasm: await built('echo'), ...inside },
    calculator: { wasm: await built('calculator'), ...inside },
    // Its tool slow_compute is a job, which the event readers follow.
    tasks: { wasm: await built('test/conformance/tasks'), ...inside },
    // What the crowds of callers call.
    code: {
      wasm: await built('test/crowd/code'),
      route: false,
      allowedHosts: ['http://mcp-gateway.spin.internal'],
    },
    crowd: { wasm: await built('test/crowd/first'), route: false },
    good: { wasm: good },
    relay: { wasm: good, allowedHosts: ['http://good.spin.internal'] },
  }
  for (const [id, { component }] of Object.entries(HOSTILE_GUESTS)) {
    all[id] = await component({ silentServer })
  }
  return all
}

/** Takes connections, reads, and never answers. */
async function startSilentServer(): Promise<{ address: string; close: () => Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    address: `127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
