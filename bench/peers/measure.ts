/** Load on the peers, in turns. */
import { median, quantile } from '../statistics.ts'
import { type Connection, connect, type Endpoint } from './connection.ts'
import type { Running } from './peer.ts'
import { used } from './resources.ts'
import { echoIn } from './parse.ts'
import { turns } from './turns.ts'

export interface Subject {
  name: string
  running: Running
  /** The process of its echo server, if that is not a part of it. */
  backendPid?: number
  tool: string
}

/** Medians of the rounds. */
export interface Load {
  connections: number
  perSecond: number
  p50: number
  p99: number
  /** Milliseconds of a core per call, of the peer. NaN where it cannot be measured. */
  cpu: number
  /** The same of the echo server behind it; 0 without one. */
  backendCpu: number
  failed: number
}

export interface LoadOptions {
  connections: number
  seconds: number
  rounds: number
}

/** @returns the load of each subject by its name. A subject whose calls fail has `failed` above 0. */
export async function measureLoad(
  subjects: readonly Subject[],
  { connections, seconds, rounds }: LoadOptions,
): Promise<Map<string, Load>> {
  const found = new Map<string, Load[]>()
  for (const subject of subjects) await turn(subject, connections, Math.min(seconds, 1))
  for (const subject of turns(subjects, rounds)) {
    const load = await turn(subject, connections, seconds)
    found.set(subject.name, [...(found.get(subject.name) ?? []), load])
  }
  return new Map([...found].map(([name, loads]) => [name, together(loads)]))
}

function together(loads: readonly Load[]): Load {
  const of = (key: keyof Load) => median(loads.map((load) => load[key]))
  return {
    connections: of('connections'),
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    cpu: of('cpu'),
    backendCpu: of('backendCpu'),
    failed: loads.reduce((sum, { failed }) => sum + failed, 0),
  }
}

async function turn(subject: Subject, connections: number, seconds: number): Promise<Load> {
  const { running, backendPid, tool } = subject
  const clients = await Promise.all(Array.from({ length: connections }, () => connect(running)))
  const times: number[] = []
  let failed = 0
  const cpu = async () => [
    (await used(running.pid)).cpuMs,
    backendPid === undefined ? 0 : (await used(backendPid)).cpuMs,
  ]
  const [own = 0, backend = 0] = await cpu()
  const started = performance.now()
  const end = started + seconds * 1000
  const work = async (client: Connection) => {
    for (let calls = 0; performance.now() < end && failed < MAX_FAILED; calls++) {
      const begun = performance.now()
      await client.echo(tool, `message ${calls}`).then(
        () => times.push(performance.now() - begun),
        () => (failed += 1),
      )
    }
  }
  await Promise.all(clients.map(work))
  const took = performance.now() - started
  const [ownAfter = 0, backendAfter = 0] = await cpu()
  for (const client of clients) client.close()
  return {
    connections,
    perSecond: (times.length / took) * 1000,
    p50: median(times),
    p99: quantile(times, 0.99),
    cpu: (ownAfter - own) / times.length,
    backendCpu: (backendAfter - backend) / times.length,
    failed,
  }
}

const MAX_FAILED = 50

/** The first listed tool that is an echo, how long that list took, and when a call of the tool was first answered. */
export async function firstAnswer(
  running: Running & Endpoint,
  limitMs = 120_000,
): Promise<{ tool: string; ms: number; listMs: number }> {
  const begun = running.startedAt ?? Number.NaN
  const end = performance.now() + limitMs
  for (;;) {
    try {
      const client = await connect(running)
      try {
        const asked = performance.now()
        const tools = await client.list()
        const listMs = performance.now() - asked
        const tool = echoIn(tools)
        if (tool === undefined) throw new Error(`no echo among its tools: ${tools.join(', ')}`)
        await client.echo(tool, 'first')
        return { tool, listMs, ms: performance.now() - begun }
      } finally {
        client.close()
      }
    } catch (error) {
      running.check()
      if (performance.now() > end) throw error
      await new Promise((wake) => setTimeout(wake, 10))
    }
  }
}
