/** Who sends requests to a deployment, and how long they take. */
import { median, quantile } from '../statistics.ts'
import { Deployment, type Demands, type DeploymentOptions } from './deployment.ts'
import { exponential, randomOf } from './random.ts'

export interface Outcome {
  /** Requests a second that were answered. */
  perSecond: number
  p50: number
  p99: number
  /** Commands a second that the store received. */
  commandsPerSecond: number
  /** Cores in use: of the hosts together, and of the store. */
  hostCores: number
  storeCores: number
  /** Requests that were not answered at the end. It grows with the time when there are more than can be served. */
  waiting: number
}

/** Requests, and the jobs that are read besides. */
export interface Traffic {
  /** Clients that send their next request when they have an answer. */
  closed?: { demands: Demands; connections: number }
  /** Requests that come at random moments, whatever the answers do. */
  open?: { demands: Demands; perSecond: number }
  jobs?: JobTraffic
}

export interface JobTraffic {
  /** Jobs at work. */
  count: number
  /** Clients that read each of them. */
  readers: number
  /** Milliseconds between two reads of a client. */
  periodMs: number
  /** Milliseconds that a stored state is good for. */
  pollIntervalMs: number
  /** A read within the poll interval. */
  read: Demands
  /** A read after it, which asks the component. */
  poll: Demands
}

/** @param durationMs simulated milliseconds that count; a fifth of them goes before. */
export function simulate(
  options: DeploymentOptions,
  { closed, open, jobs }: Traffic,
  durationMs: number,
): Outcome {
  const deployment = new Deployment(options)
  const { clock } = deployment
  const random = randomOf(1)
  const times: number[] = []
  let sent = 0
  let answered = 0
  const send = (demands: Demands, done?: () => void) => {
    const started = clock.now
    sent++
    deployment.serve(demands, () => {
      answered++
      times.push(clock.now - started)
      done?.()
    })
  }

  if (closed) {
    const call = () => send(closed.demands, call)
    for (let i = 0; i < closed.connections; i++) call()
  }
  if (open) {
    const arrive = () => {
      send(open.demands)
      clock.after(exponential(random, 1000 / open.perSecond), arrive)
    }
    arrive()
  }
  if (jobs) readJobs(clock, jobs, random, send)

  const warmUpMs = durationMs / 5
  clock.runUntil(warmUpMs)
  const before = { ...deployment.busy(), commands: deployment.commands }
  times.length = 0
  clock.runUntil(warmUpMs + durationMs)
  const after = deployment.busy()
  return {
    perSecond: (times.length / durationMs) * 1000,
    p50: median(times),
    p99: quantile(times, 0.99),
    commandsPerSecond: ((deployment.commands - before.commands) / durationMs) * 1000,
    hostCores: (after.hosts - before.hosts) / durationMs,
    storeCores: (after.store - before.store) / durationMs,
    waiting: sent - answered,
  }
}

/** A read that finds an old state claims the poll; other readers get the old state meanwhile. */
function readJobs(
  clock: Deployment['clock'],
  { count, readers, periodMs, pollIntervalMs, read, poll }: JobTraffic,
  random: () => number,
  send: (demands: Demands, done?: () => void) => void,
): void {
  for (let job = 0; job < count; job++) {
    let polledAt = -Infinity
    const readOnce = () => {
      const isDue = clock.now - polledAt >= pollIntervalMs
      if (isDue) polledAt = clock.now
      send(isDue ? poll : read, () => {
        // The state is as old as the end of the poll.
        if (isDue) polledAt = clock.now
        clock.after(periodMs, readOnce)
      })
    }
    // The readers of one job are spread over the period.
    const first = random()
    for (let reader = 0; reader < readers; reader++) {
      clock.after(((first + reader) / readers) * periodMs, readOnce)
    }
  }
}
