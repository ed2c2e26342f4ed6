import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { descendants } from '../support/processes.ts'
import { WithoutJson } from '../support/rpc.ts'
import { jsonLines } from './calls.ts'
import { listen } from './readers.ts'
import { newCall } from './repeatable.ts'
import { asStream } from './starters.ts'
import type { World } from './world.ts'

export interface LoadOptions {
  jobs: number
  /** Clients that start jobs, each one after the other. */
  clients: number
}

/** What one subscriber received in total. */
export interface Told {
  /** Results and errors. */
  chunks: number
  ends: number
  completed: boolean
  /** Answers with a status other than 200, after which it asked again. */
  refusals: number
  /** Why there was no result, if the answer says so. */
  reason?: string
}

export interface Memory {
  before: number
  peak: number
  after: number
}

export interface LoadResult {
  ids: string[]
  /** Milliseconds of each `stream/start`, with the waits after refusals. */
  starts: number[]
  /** Starts that the host refused because too many requests ran; they were sent again. */
  refusedStarts: number
  told: Record<'WebSocket' | 'NDJSON' | 'polling', Told[]>
  /** Milliseconds from the first call to the last subscriber's end. */
  totalMs: number
  /** MiB of resident memory; known only on Linux. */
  memory: Record<'host' | 'bridge', Memory>
}

const POLL_MS = 1_000
/** A subscriber that has heard nothing by then is counted as told nothing. */
const PATIENCE_MS = 120_000

/** Many jobs at once, each with a subscriber of every kind from its first moment. */
export async function runLoad(world: World, { jobs, clients }: LoadOptions): Promise<LoadResult> {
  const watch = await watchMemory(world)
  const result: LoadResult = {
    ids: [],
    starts: [],
    refusedStarts: 0,
    totalMs: 0,
    memory: watch.memory,
    told: { WebSocket: [], NDJSON: [], polling: [] },
  }
  const { ids, starts, told } = result
  const began = performance.now()
  const subscribers: Promise<unknown>[] = []
  let left = jobs
  const client = async () => {
    while (left-- > 0) {
      const sent = performance.now()
      const { id, refusals } = await startPatiently(world)
      result.refusedStarts += refusals
      starts.push(performance.now() - sent)
      ids.push(id)
      subscribers.push(
        bySocket(world, id).then((one) => told.WebSocket.push(one)),
        byLines(world, id).then((one) => told.NDJSON.push(one)),
        byPolling(world, id).then((one) => told.polling.push(one)),
      )
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  await Promise.all(subscribers)
  result.totalMs = performance.now() - began
  await watch.end()
  return result
}

/** With the same idempotency key each time, so that no job is made twice. */
async function startPatiently(world: World): Promise<{ id: string; refusals: number }> {
  const call = newCall()
  const until = performance.now() + PATIENCE_MS
  for (let refusals = 0; ; refusals++) {
    try {
      const { id } = await asStream(world, call)
      return { id, refusals }
    } catch (error) {
      const isRefusal = error instanceof WithoutJson && error.status === 503
      if (!isRefusal || performance.now() > until) throw error
      await sleep(POLL_MS)
    }
  }
}

async function bySocket({ bridgeUrl }: World, id: string): Promise<Told> {
  const messages = await orNothing(listen(`${bridgeUrl.replace('http', 'ws')}/ws/stream/${id}`), [])
  const chunks = messages.filter(({ method }) => method === 'stream/chunk')
  const ends = messages.filter(({ method }) => method === 'stream/end').length
  const completed = chunks.some(({ params }) => params.result !== undefined)
  const reason = chunks[0]?.params.error?.message
  return {
    chunks: chunks.length,
    ends,
    completed,
    refusals: 0,
    ...(reason !== undefined && { reason }),
  }
}

async function byLines({ url }: World, id: string): Promise<Told> {
  const told: Told = { chunks: 0, ends: 0, completed: false, refusals: 0 }
  const headers = { accept: 'application/x-ndjson' }
  const until = performance.now() + PATIENCE_MS
  while (told.ends === 0 && performance.now() < until) {
    const response = await fetch(`${url}/jobs/${id}/events`, { headers })
    if (response.status !== 200) {
      await response.body?.cancel()
      told.refusals++
      await sleep(POLL_MS)
      continue
    }
    for await (const { type } of jsonLines(response)) {
      if (type !== 'result' && type !== 'error') continue
      told.chunks++
      told.completed ||= type === 'result'
    }
    told.ends++
  }
  return told
}

async function byPolling({ url }: World, id: string): Promise<Told> {
  const told: Told = { chunks: 0, ends: 0, completed: false, refusals: 0 }
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    const response = await fetch(`${url}/jobs/${id}`)
    if (response.status !== 200) {
      // Where too many requests run at once, the host answers without a body.
      await response.body?.cancel()
      told.refusals++
    } else {
      const { status } = (await response.json()) as { status?: string }
      if (status !== 'working') {
        return { ...told, chunks: 1, ends: 1, completed: status === 'completed' }
      }
    }
    await sleep(POLL_MS)
  }
  return told
}

async function orNothing<T>(work: Promise<T>, nothing: T): Promise<T> {
  const patience = new AbortController()
  const late = sleep(PATIENCE_MS, nothing, { signal: patience.signal }).catch(() => nothing)
  return Promise.race([work.catch(() => nothing), late]).finally(() => patience.abort())
}

/** Milliseconds between two looks, and until what is no longer used may have been given back. */
const LOOK_MS = 100
const REST_MS = 3_000

async function watchMemory(world: World) {
  const bridge = (await descendants(process.pid)).find(({ name }) => name === 'workerd')
  const pids = { host: world.hostPid(), bridge: bridge?.pid ?? 0 }
  const read = async () => ({
    host: await residentMiB(pids.host),
    bridge: await residentMiB(pids.bridge),
  })
  const first = await read()
  const start = (value: number): Memory => ({ before: value, peak: value, after: value })
  const memory = { host: start(first.host), bridge: start(first.bridge) }
  const look = async () => {
    const now = await read()
    for (const name of ['host', 'bridge'] as const) {
      memory[name].after = now[name]
      memory[name].peak = Math.max(memory[name].peak, now[name])
    }
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  return {
    memory,
    async end() {
      clearInterval(timer)
      await sleep(REST_MS)
      await look()
    },
  }
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024
}
