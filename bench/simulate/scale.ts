/** What a load needs: how many hosts, which commands of the store, and which limit is met first. */
import type { Figures } from './cases.ts'
import type { Demands } from './deployment.ts'
import { type Outcome, simulate, type Traffic } from './traffic.ts'

export interface Wanted {
  callsPerSecond: number
  /** Jobs at work. */
  jobs: number
  /** Clients that read each of them, once a second. */
  readers: number
  /** Cores of each host; each has as many workers. */
  cores: number
  /** @default as many as need 70 % of their cores */
  hosts?: number
}

export interface Answer extends Outcome {
  hosts: number
  /** `none`, or what has no more to give, such as `the store`. */
  limit: string
}

/** Part of its cores that a host should use: beyond it, waiting grows fast. */
const USED = 0.7
const PERIOD_MS = 1000
const SIMULATED_MS = 2000

export function answer(
  figures: Figures,
  { callsPerSecond, jobs, readers, cores, hosts: given }: Wanted,
  pollIntervalMs: number,
): Answer {
  const { demands, crowding } = figures.sharedCall ?? figures.call
  const call = alone(demands)
  // A store that is busy needs less for a command than one that wakes up for each.
  const busy = (demands = figures.call.demands): Demands => ({
    ...alone(demands),
    storeMs: call.storeMs,
  })
  const [read, poll] = [busy(figures.read), busy(figures.poll)]
  const traffic: Traffic = {
    ...(callsPerSecond > 0 && { open: { demands: call, perSecond: callsPerSecond } }),
    ...(jobs > 0 && {
      jobs: { count: jobs, readers, periodMs: PERIOD_MS, pollIntervalMs, read, poll },
    }),
  }
  const readsPerSecond = (jobs * readers * 1000) / PERIOD_MS
  const pollsPerSecond = Math.min((jobs * 1000) / pollIntervalMs, readsPerSecond)
  const work =
    callsPerSecond * hostMs(call) +
    (readsPerSecond - pollsPerSecond) * hostMs(read) +
    pollsPerSecond * hostMs(poll)
  const main =
    callsPerSecond * call.mainMs +
    (readsPerSecond - pollsPerSecond) * read.mainMs +
    pollsPerSecond * poll.mainMs
  // Main threads are one per host, however many cores it has.
  const needed = (crowding * Math.max(work / cores, main)) / 1000 / USED
  const hosts = given ?? Math.max(1, Math.ceil(needed))
  const deployment = { hosts, workers: cores, cores, crowding, isShared: false }
  const outcome = simulate(deployment, traffic, SIMULATED_MS)
  return { ...outcome, hosts, limit: limitOf(outcome, hosts * cores) }
}

const hostMs = ({ mainMs, workerMs, besideMs, afterMs }: Demands) =>
  mainMs + workerMs + besideMs + afterMs

/** Clients and ComfyUI have machines of their own. */
const alone = (demands: Demands): Demands => ({ ...demands, clientMs: 0 })

function limitOf({ storeCores, hostCores }: Outcome, cores: number): string {
  if (storeCores > 0.95) return 'the store'
  return hostCores > 0.95 * cores ? 'the hosts' : 'none'
}
