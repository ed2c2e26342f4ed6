/** Real hosts under load: what they answer, and what processor time each part takes for it. */
import { cpuUsage } from 'node:process'
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

export interface Measured {
  perSecond: number
  p50: number
  commandsPerSecond: number
  /** Of all hosts, all threads. */
  hostCores: number
  storeCores: number
  /** For one request, but `waitMs`, which one connection alone shows. */
  demands: Demands
  /** Milliseconds from sending to the end of the answer. */
  meanMs: number
}

/** Clients that send their next request when they have an answer, each to one of the hosts. */
export async function closedLoop(
  subjects: Subjects,
  shot: Shot,
  connections: number,
  seconds: number,
): Promise<Measured> {
  const senders = subjects.hosts.map(({ url }) => createSender(url))
  try {
    return await measure(subjects, seconds, async (times, isOver) => {
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

/**
 * @param send sends requests and notes their times, until `isOver`.
 */
export async function measure(
  subjects: Subjects,
  seconds: number,
  send: (times: number[], isOver: () => boolean) => Promise<void>,
): Promise<Measured> {
  const times: number[] = []
  const before = await usage(subjects)
  const started = performance.now()
  await send(times, () => performance.now() - started > seconds * 1000)
  const passedMs = performance.now() - started
  const after = await usage(subjects)
  const used = (part: keyof Usage) => after[part] - before[part]
  const each = (part: keyof Usage) => used(part) / times.length
  // Asking the store for its counts is a command of its own.
  const commands = Math.max(0, used('commands'))
  return {
    perSecond: (times.length / passedMs) * 1000,
    p50: median(times),
    commandsPerSecond: (commands / passedMs) * 1000,
    hostCores: (used('main') + used('rest')) / passedMs,
    storeCores: used('store') / passedMs,
    meanMs: times.reduce((sum, time) => sum + time, 0) / times.length,
    demands: {
      clientMs: each('client'),
      mainMs: each('main'),
      workerMs: each('rest'),
      commands: commands / times.length,
      storeMs: commands === 0 ? 0 : used('store') / commands,
      waitMs: 0,
    },
  }
}

interface Usage {
  client: number
  main: number
  rest: number
  store: number
  commands: number
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
    rest: threads.reduce((sum, { rest }) => sum + rest, 0),
    store: store ? await processTime(store.pid()) : 0,
    commands: counted.reduce((sum, [, calls]) => sum + calls, 0),
  }
}
