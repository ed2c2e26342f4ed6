// Which workers are ended or relieved, without the threads.
import { expect, test, vi } from 'vitest'
import { Crews } from './crews.ts'
import type { WorkerThread } from './worker-thread.ts'

/** A worker whose thread runs `running`, and that has two requests. */
function worker() {
  return {
    ready: Promise.resolve(0),
    exited: new Promise(() => {}),
    load: 2,
    isRepeatable: true,
    running: { request: 7, component: 0, nth: 0 },
    silence: () => 100,
    withdraw: () => [],
    preempt: vi.fn(),
    close: async () => {},
  }
}

async function started() {
  const workers: ReturnType<typeof worker>[] = []
  const crews = new Crews({
    workers: 1,
    quarantineMs: 1000,
    components: ['tool', 'other'].map((id) => ({ id, variables: {} })),
    spawn: () => {
      const made = worker()
      workers.push(made)
      return made as unknown as WorkerThread
    },
    onProblem: () => {},
    onQuarantine: () => {},
    onChange: () => {},
  })
  await crews.start()
  const [first] = workers
  if (first === undefined) throw new Error('no worker')
  const relieve = () => crews.relieve([first as unknown as WorkerThread])
  return { crews, first, relieve }
}

test('a worker is ended while a guest of a slow component keeps its thread', async () => {
  const { crews, first, relieve } = await started()
  relieve()
  expect(first.preempt).not.toHaveBeenCalled()
  crews.computes('tool')
  relieve()
  expect(first.preempt).toHaveBeenCalledOnce()
  await crews.close()
})

test('a worker that runs no guest is not ended, whichever component has its number', async () => {
  const { crews, first, relieve } = await started()
  crews.computes('tool')
  first.running.request = 0
  relieve()
  expect(first.preempt).not.toHaveBeenCalled()
  await crews.close()
})
