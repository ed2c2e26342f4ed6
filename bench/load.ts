/** Load on several addresses, in turns. */
import autocannon from 'autocannon'
import { CLIENTS, type Shot } from './sender.ts'
import { median, quantile } from './statistics.ts'

export interface Subject {
  name: string
  url: string
  shot: Shot
  /** Milliseconds of processor time the server has taken, where it can be asked. */
  cpu?: () => Promise<number>
}

export interface LoadOptions {
  connections: number
  /** Seconds of one turn of one subject. */
  seconds: number
  /** Turns of each subject. */
  rounds: number
}

/** Medians of the rounds. */
export interface Loaded {
  name: string
  perSecond: number
  p50: number
  p99: number
  /**
   * Milliseconds of processor time a request takes of the server; NaN where it cannot be asked. On a machine that others
   * use too it says more than the throughput does.
   */
  cpu: number
}

/** What is sent to each of the fixtures. */
export const SHOTS = {
  constant: { path: '/constant' },
  bare: { ...CLIENTS.plain('tools/call', echo('zod-echo')), path: '/bare-gateway' },
  zod: { path: '/zod-echo', body: '{"message":"Hello"}' },
  zodMini: { path: '/zod-mini-echo', body: '{"message":"Hello"}' },
  plain: { path: '/plain-echo', body: '{"message":"Hello"}' },
  gateway: CLIENTS.plain('tools/call', echo('zod-echo')),
  gatewayPlain: CLIENTS.plain('tools/call', echo('plain-echo')),
  gateway2025: CLIENTS['2025-11-25']('tools/call', echo('zod-echo')),
  gateway2026: CLIENTS['2026-07-28']('tools/call', echo('zod-echo')),
} satisfies Record<string, Shot>

function echo(name: string) {
  return { name, arguments: { message: 'Hello' } }
}

/**
 * In turns (A, B, A, B), so that whatever else the machine does slows all of them down.
 *
 * @throws {Error} when an answer is not 200.
 */
export async function inTurns(
  subjects: readonly Subject[],
  { connections, seconds, rounds }: LoadOptions,
): Promise<Loaded[]> {
  const all = subjects.map(({ name }): Rounds => ({
    name,
    perSecond: [],
    p50: [],
    p99: [],
    cpu: [],
  }))
  for (const subject of subjects) await shoot(subject, connections, Math.min(seconds, 1))
  for (let round = 0; round < rounds; round++) {
    for (const [index, subject] of subjects.entries()) {
      const before = (await subject.cpu?.()) ?? Number.NaN
      const { perSecond, times } = await shoot(subject, connections, seconds)
      const mine = all[index]
      mine?.cpu.push((((await subject.cpu?.()) ?? Number.NaN) - before) / times.length)
      mine?.perSecond.push(perSecond)
      mine?.p50.push(median(times))
      mine?.p99.push(quantile(times, 0.99))
    }
  }
  return all.map(({ name, perSecond, p50, p99, cpu }) => ({
    name,
    perSecond: median(perSecond),
    p50: median(p50),
    p99: median(p99),
    cpu: median(cpu),
  }))
}

interface Rounds {
  name: string
  perSecond: number[]
  p50: number[]
  p99: number[]
  cpu: number[]
}

async function shoot(
  { name, url, shot: { path, body, headers } }: Subject,
  connections: number,
  seconds: number,
): Promise<{ perSecond: number; times: number[] }> {
  const times: number[] = []
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url: url + path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...json, ...headers },
        ...(body !== undefined && { body }),
        connections,
        duration: seconds,
      },
      (error: Error | null, done) => (error ? reject(error) : resolve(done)),
    )
    instance.on('response', (_client, _status, _bytes, time) => times.push(time))
  })
  const failed = result.non2xx + result.errors
  if (failed > 0) throw new Error(`${name}: ${failed} of ${times.length} answers were not 200`)
  return { perSecond: result['2xx'] / result.duration, times }
}
