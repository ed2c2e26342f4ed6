/** Real hosts under load: what they answer, and what processor time each part takes for it. */
import { cpuUsage } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../test/many/store.ts'
import type { Serving } from '../serving.ts'
import { createSender, type Shot } from '../sender.ts'
import { median } from '../statistics.ts'
import type { Demands } from './deployment.ts'
import { processTime, threadTimes } from './processor-time.ts'

export interface Subjects {
  hosts: readonly Serving[]
  /** What the hosts share; without it each has its own database. */
  store?: Store
}

/** What was seen in a while. Times are milliseconds. */
export interface Sample {
  /** Of each request, from sending to the end of the answer. */
  times: readonly number[]
  passedMs: number
  used: Usage
}

/** Processor time of each part, all hosts together, and what the store was asked. */
interface Usage {
  client: number
  main: number
  beside: number
  rest: number
  store: number
  commands: number
}

export interface Measured {
  perSecond: number
  p50: number
  commandsPerSecond: number
  meanMs: number
  /** For one request, as it was under this load. */
  demands: Demands
}

/** Clients that send their next request when they have an answer, each to one of the hosts. */
export async function closedLoop(
  subjects: Subjects,
  shot: Shot,
  connections: number,
  seconds: number,
): Promise<Sample> {
  const senders = subjects.hosts.map(({ url }) => createSender(url))
  try {
    return await measure(subjects, { seconds, settleMs: 50 }, async (times, isOver) => {
      await Promise.all(
        Array.from({ length: connections }, async (_, index) => {
          const sender = senders[index % senders.length]
          while (!isOver()) {
            const started = performance.now()
            await sender?.send(shot)
            times.push(performance.now() - started)
          }
        }),
      )
    })
  } finally {
    for (const sender of senders) sender.close()
  }
}

/** @param send sends requests and notes their times until `isOver`; what it notes in the first `settleMs` does not count. */
export async function measure(
  subjects: Subjects,
  { seconds, settleMs }: { seconds: number; settleMs: number },
  send: (times: number[], isOver: () => boolean) => Promise<void>,
): Promise<Sample> {
  const times: number[] = []
  let isOver = false
  const sent = send(times, () => isOver)
  try {
    // An error of the first requests ends the measurement at once.
    await Promise.race([sleep(settleMs), sent])
    const before = await usage(subjects)
    times.length = 0
    const started = performance.now()
    await Promise.race([sleep(seconds * 1000), sent])
    const counted = [...times]
    const passedMs = performance.now() - started
    const after = await usage(subjects)
    const used = (part: keyof Usage) => Math.max(0, after[part] - before[part])
    return {
      ...{ times: counted, passedMs },
      used: {
        ...{ client: used('client'), main: used('main') },
        ...{ beside: used('beside'), rest: used('rest') },
        ...{ store: used('store'), commands: used('commands') },
      },
    }
  } finally {
    isOver = true
    await sent
  }
}

/** Medians of several samples of one load: what else the machine did in one of them does not count. */
export function summarize(samples: readonly Sample[]): Measured {
  const typical = (of: (sample: Sample) => number) => median(samples.map(of))
  const each = (part: keyof Usage) => typical(({ used, times }) => used[part] / times.length)
  return {
    perSecond: typical(({ times, passedMs }) => (times.length / passedMs) * 1000),
    p50: typical(({ times }) => median(times)),
    commandsPerSecond: typical(({ used, passedMs }) => (used.commands / passedMs) * 1000),
    meanMs: typical(({ times }) => times.reduce((sum, time) => sum + time, 0) / times.length),
    demands: {
      ...{ clientMs: each('client'), mainMs: each('main'), workerMs: each('rest') },
      besideMs: each('beside'),
      commands: each('commands'),
      storeMs: typical(({ used }) => (used.commands === 0 ? 0 : used.store / used.commands)),
      waitMs: 0,
      afterMs: 0,
    },
  }
}

/** Commands that a host sends, without those that this program sends to count them. */
const COUNTED = /^(get|set|setnx|del|exists|eval|evalsha|scan|mget)$/

async function usage({ hosts, store }: Subjects): Promise<Usage> {
  const counted = Object.entries((await store?.calls()) ?? {}).filter(([name]) =>
    COUNTED.test(name),
  )
  const threads = await Promise.all(hosts.map(({ pid }) => threadTimes(pid)))
  const { user, system } = cpuUsage()
  return {
    client: (user + system) / 1000,
    main: threads.reduce((sum, { main }) => sum + main, 0),
    beside: threads.reduce((sum, { beside }) => sum + beside, 0),
    rest: threads.reduce((sum, { rest }) => sum + rest, 0),
    store: store ? await processTime(store.pid()) : 0,
    commands: counted.reduce((sum, [, calls]) => sum + calls, 0),
  }
}
