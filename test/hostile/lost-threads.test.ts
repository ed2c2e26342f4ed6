// A thread that cannot be ended, or that fills its heap, costs only that thread. support/probes/misbehave.ts
// simulates such a guest, and says why.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { LostThreadsError, type WorkerLost } from 'ftl-host'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { guestThat } from './support/wat.ts'

const MISBEHAVE = new URL('./support/probes/misbehave.ts', import.meta.url).href

/** Rows that SQLite counts for fourteen seconds or more, in one call: both threads must be in it at the same time. */
const LONG = '60000000'

const losses: WorkerLost[] = []
const fatal: LostThreadsError[] = []

async function start(maxBlockingMs: number): Promise<RunningApplication> {
  losses.length = fatal.length = 0
  return startHostile(
    { good: { wasm: await guestThat('') } },
    {
      workerImports: [MISBEHAVE],
      workers: 2,
      maxBlockingMs,
      maxLostThreads: 1,
      maxWorkerHeap: 64 * 1024 ** 2,
      onWorkerLost: (event) => losses.push(event),
      onFatal: (error) => fatal.push(error),
    },
  )
}

const misbehave = (host: RunningApplication, nth: number, what: string) =>
  writeFile(join(host.folder, 'state', `misbehave-${nth}`), what)

/** Sends requests without pause until `done`, and returns their statuses. */
async function callUntil(host: RunningApplication, done: () => boolean): Promise<Set<number>> {
  const statuses = new Set<number>()
  const deadline = performance.now() + 20_000
  while (!done() && performance.now() < deadline) {
    const answers = Array.from({ length: 4 }, () => fetch(`${host.url}/good/`))
    for (const { status } of await Promise.all(answers)) statuses.add(status)
  }
  return statuses
}

attack(
  'keep two threads in code that cannot be ended',
  async () => {
    const host = await start(500)
    await misbehave(host, 1, LONG)
    await misbehave(host, 2, LONG)
    const statuses = await callUntil(host, () => losses.length >= 2 && fatal.length > 0)
    expect([...statuses]).toEqual([200])
    expect(losses).toHaveLength(2)
    expect(losses[0]?.reason).toContain('kept its thread')
    // The second one exceeds `maxLostThreads`, which is reported once.
    expect(fatal).toHaveLength(1)
    expect(fatal[0]?.message).toMatch(/^2 threads do not end .*maxLostThreads/)
    expect((await fetch(`${host.url}/good/`)).status).toBe(200)
    const started = performance.now()
    await expect(host.close()).rejects.toThrow(LostThreadsError)
    expect(performance.now() - started).toBeLessThan(5000)
    await rm(host.folder, { recursive: true, force: true })
    return 'both threads replaced, requests sent again, onFatal told once, close() settles'
  },
  60_000,
)

attack("fill the heap of the host's side of a worker", async () => {
  const host = await start(10_000)
  await misbehave(host, 1, 'fill the heap')
  const statuses = await callUntil(host, () => losses.length >= 1)
  expect([...statuses]).toEqual([200])
  expect(losses[0]?.reason).toContain('memory limit')
  expect(fatal).toEqual([])
  await host.close()
  return `the thread ended: ${losses[0]?.reason}`
})
