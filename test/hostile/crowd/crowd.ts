/** Callers of tools that keep their thread, all at once, and one caller of a tool that does not. */
import { Agent, request } from 'node:http'
import { quantile } from '../../../bench/statistics.ts'
import { MANIFESTS } from '../../support/manifests.ts'
import { type MeasuredHost, startMeasured } from '../../support/measured-host.ts'
import { CACHE_DIR } from '../../host/fixture.ts'

/** The call of a tool that one of the crowd sends. */
export interface Call {
  name: string
  arguments: Record<string, unknown>
}

/** By the name of the crowd: what its members call, in turns. */
export const CROWDS: Readonly<Record<string, readonly Call[]>> = {
  loops: [{ name: 'loop', arguments: {} }],
  programs: [{ name: 'run_code', arguments: { code: 'for (;;);' } }],
  computes: ['compute', 'second__compute', 'third__compute'].map((name) => ({
    name,
    arguments: { milliseconds: 3900 },
  })),
  bursts: [{ name: 'bursts', arguments: { milliseconds: 45, times: 80 } }],
}

/** How one caller fared beside a crowd. */
export interface Fared {
  /** Milliseconds of each call of `echo`. */
  times: number[]
  failed: string[]
  /** For each call of `echo`: calls of the crowd that were answered before it, of those that were under way. */
  overtaken: number[]
  /** Calls of the crowd that were answered in all. */
  answered: number
}

export interface CrowdOptions {
  /** Of the crowd, each with one call after the other. */
  callers: number
  calls: readonly Call[]
  /** Milliseconds between the beginning of the crowd and the first call of `echo`. */
  headStartMs: number
  seconds: number
  perSecond: number
}

/** @param nativeGateway source of a gateway that runs beside the components; `undefined` for one in the sandbox */
export const startCrowdedHost = (nativeGateway: string | undefined): Promise<MeasuredHost> =>
  startMeasured({
    ...{ workers: 2, manifest: MANIFESTS.crowd, cacheDir: CACHE_DIR, stateDir: '' },
    nativeGateway,
  })

/** Calls `echo` at a fixed rate beside a crowd. */
export async function besideCrowd(url: string, options: CrowdOptions): Promise<Fared> {
  const { callers, calls, headStartMs, seconds, perSecond } = options
  const over = new AbortController()
  const fared: Fared = { times: [], failed: [], overtaken: [], answered: 0 }
  const member = async (call: Call) => {
    while (!over.signal.aborted) {
      await send(url, call, over.signal).then(
        () => fared.answered++,
        () => {},
      )
    }
  }
  const crowd = Array.from({ length: callers }, (_, nth) => member(calls[nth % calls.length]!))
  await pause(headStartMs)
  const agent = new Agent({ keepAlive: true })
  const began = performance.now()
  const under: Promise<void>[] = []
  for (let nth = 0; nth < seconds * perSecond; nth++) {
    await pause(began + (nth * 1000) / perSecond - performance.now())
    const sent = performance.now()
    const answeredBefore = fared.answered
    const echo = send(url, { name: 'echo', arguments: { message: `${nth}` } }, over.signal, agent)
    under.push(
      echo.then(
        (text) => {
          if (!text.includes(`"${nth}"`)) fared.failed.push(text.slice(0, 200))
          fared.times[nth] = performance.now() - sent
          fared.overtaken[nth] = fared.answered - answeredBefore
        },
        (error: unknown) => void fared.failed.push(String(error)),
      ),
    )
  }
  await Promise.all(under)
  over.abort()
  await Promise.all(crowd)
  agent.destroy()
  return fared
}

export interface OneByOne {
  callers: number
  calls: readonly Call[]
  /** Calls of `echo`. */
  count: number
  /** Ended calls of the crowd after which there is nothing left to show. */
  most: number
  /** Waits for what the crowd brings about in the end. */
  finally?: () => Promise<unknown>
}

/** Calls `echo` again and again beside a crowd. @returns how many calls of the crowd ended meanwhile, at most one more than `most` */
export async function callOneByOne(url: string, options: OneByOne): Promise<number> {
  const { callers, calls, count, most } = options
  const over = new AbortController()
  await send(url, { name: 'echo', arguments: { message: 'first' } }, over.signal)
  let ended = 0
  const full = Promise.withResolvers<void>()
  const member = async (call: Call) => {
    while (!over.signal.aborted) {
      await send(url, call, over.signal).catch(() => {})
      if (++ended > most) full.resolve()
    }
  }
  const crowd = Array.from({ length: callers }, (_, nth) => member(calls[nth % calls.length]!))
  // Until the crowd is known for what it does: its first calls take the threads of all.
  await pause(1000)
  const before = ended
  const echo = async () => {
    for (let nth = 0; nth < count; nth++) {
      const text = await send(
        url,
        { name: 'echo', arguments: { message: `nonce ${nth}.` } },
        over.signal,
      )
      if (!text.includes(`nonce ${nth}.`)) throw new Error(text)
    }
  }
  await Promise.race([echo(), full.promise])
  const during = ended - before
  await options.finally?.()
  over.abort()
  await Promise.all(crowd)
  return Math.min(during, most + 1)
}

export const summary = ({ times, failed, overtaken, answered }: Fared): string =>
  `p50 ${quantile(times, 0.5).toFixed(0)}, p99 ${quantile(times, 0.99).toFixed(0)}, longest ${Math.max(...times).toFixed(0)} ms of ${times.length} calls, ${failed.length} failed; ` +
  `the crowd had ${answered} answers, at most ${Math.max(...overtaken)} before one of echo`

const pause = (milliseconds: number) =>
  new Promise((wake) => setTimeout(wake, Math.max(0, milliseconds)))

let ids = 0

function send(url: string, call: Call, signal: AbortSignal, agent?: Agent): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++ids, method: 'tools/call', params: call })
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}/mcp`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        signal,
        ...(agent && { agent }),
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('error', reject).on('end', () => resolve(text))
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
