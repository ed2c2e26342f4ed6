/** Jobs at work that clients read, on real hosts and in the simulation. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createSender, type Sender } from '../sender.ts'
import { serialMs, timed } from './calibrate.ts'
import type { CaseOptions, Figures } from './cases.ts'
import type { Demands, DeploymentOptions } from './deployment.ts'
import { measure, type Measured, type Subjects, summarize } from './measured.ts'
import { simulate } from './traffic.ts'

/** Milliseconds between two reads of a client. */
const PERIOD_MS = 1000
const SMALL = 5
const LARGE = 25
const READERS = 3

/** The figures come from a few jobs with one reader each; predicted is five times as much with three. */
export async function measureJobs(
  subjects: Subjects,
  options: DeploymentOptions,
  { seconds, onCase, onProgress }: CaseOptions,
): Promise<Pick<Figures, 'read' | 'poll'>> {
  const senders = subjects.hosts.map(({ url }) => createSender(url))
  const duration = Math.max(seconds, 5)
  try {
    const ids: string[] = []
    while (ids.length < LARGE) ids.push(await startJob(subjects, ids.length))
    const few = ids.slice(0, SMALL)
    const pollIntervalMs = await pollInterval(senders[0] as Sender, few[0] as string)
    const run = async (of: readonly string[], readers: number, periodMs: number) => {
      onProgress(`${of.length} jobs, read every ${periodMs} ms by ${readers}`)
      // Readers begin one after the other, within one period.
      const settings = { seconds: duration, settleMs: 2 * periodMs }
      const sample = await measure(subjects, settings, (times, isOver) =>
        readAll({ senders, ids: of, readers, periodMs, isOver, times }),
      )
      return summarize([sample])
    }
    await run(ids, 1, pollIntervalMs / 20)
    // Each read of the first is a poll; of the second, one read in ten or fewer.
    const polls = await run(few, 1, pollIntervalMs + 50)
    const mixed = await run(few, 1, pollIntervalMs / 20)
    const poll = timed(polls.demands, polls.meanMs - serialMs(polls.demands))
    const share = Math.min(1, (SMALL * 1000) / pollIntervalMs / mixed.perSecond)
    const read = withoutPolls(mixed.demands, poll, share)
    const real = await run(ids, READERS, PERIOD_MS)
    const predicted = simulate(
      options,
      {
        jobs: { count: LARGE, readers: READERS, periodMs: PERIOD_MS, pollIntervalMs, read, poll },
      },
      30_000,
    )
    const name = `3 hosts, ${LARGE} jobs, ${READERS} readers each`
    const isCalibration = false
    onCase({
      name,
      unit: 'commands/s',
      isCalibration,
      ...both(real, predicted, 'commandsPerSecond'),
    })
    onCase({ name, unit: 'requests/s', isCalibration, ...both(real, predicted, 'perSecond') })
    return { read, poll }
  } finally {
    for (const sender of senders) sender.close()
  }
}

const both = (
  real: Measured,
  predicted: Pick<Measured, 'commandsPerSecond' | 'perSecond'>,
  key: 'commandsPerSecond' | 'perSecond',
) => ({ measured: real[key], predicted: predicted[key] })

function withoutPolls(mixed: Demands, poll: Demands, share: number): Demands {
  const only = (key: keyof Demands) => Math.max(0, (mixed[key] - share * poll[key]) / (1 - share))
  return {
    clientMs: only('clientMs'),
    mainMs: only('mainMs'),
    workerMs: only('workerMs'),
    besideMs: only('besideMs'),
    commands: only('commands'),
    storeMs: mixed.storeMs,
    waitMs: 0,
    afterMs: 0,
  }
}

interface Readers {
  senders: readonly Sender[]
  ids: readonly string[]
  readers: number
  periodMs: number
  isOver: () => boolean
  times: number[]
}

async function readAll({ senders, ids, readers, periodMs, isOver, times }: Readers): Promise<void> {
  // The readers of one job are spread over the period.
  const clients = Array.from({ length: readers }, () => ids).flat()
  await Promise.all(
    clients.map(async (id, index) => {
      await sleep((index / clients.length) * periodMs)
      while (!isOver()) {
        const started = performance.now()
        await senders[index % senders.length]?.send({ path: `/jobs/${id}` })
        times.push(performance.now() - started)
        await sleep(periodMs)
      }
    }),
  )
}

async function startJob({ hosts }: Subjects, seed: number): Promise<string> {
  const response = await fetch(`${hosts[0]?.url}/invoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify({ tool: 'generate_image', params: { prompt: 'a lighthouse', seed } }),
  })
  const body = (await response.json()) as { id?: string; jobId?: string }
  const id = body.id ?? body.jobId
  if (response.status !== 202 || id === undefined) {
    throw new Error(`no job: ${response.status} ${JSON.stringify(body)}`)
  }
  return id
}

async function pollInterval(sender: Sender, id: string): Promise<number> {
  const text = await sender.send({ path: `/jobs/${id}` })
  const found = /"pollInterval(?:Ms)?":\s*(\d+)/.exec(text)
  if (!found) throw new Error(`no poll interval in ${text}`)
  return Number(found[1])
}
