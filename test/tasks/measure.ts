/** All tasks in all ways, on the real gateway. */
import { dirname, join } from 'node:path'
import { startHost } from 'ftl-host'
import { startEffects } from '../code/effects.ts'
import { MANIFESTS } from '../support/manifests.ts'
import type { Task } from './task.ts'
import { MANY_CALLS } from './tasks/many-calls.ts'
import { ONE_STEP } from './tasks/one-step.ts'
import { SUMS } from './tasks/sums.ts'
import { play, type Played, type Way, WAYS } from './ways.ts'

export const TASKS: readonly Task[] = [...ONE_STEP, ...SUMS, ...MANY_CALLS]

export interface Measured extends Played {
  task: Task
  way: Way
  /** What the tools have changed, sorted. */
  changes: string[]
}

export async function measureTasks(): Promise<Measured[]> {
  const effects = await startEffects()
  const host = await startHost({
    manifest: MANIFESTS.tasks,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
    env: {},
    variables: { effects_url: effects.url },
  })
  try {
    const measured: Measured[] = []
    for (const task of TASKS) {
      for (const way of WAYS) {
        effects.done.length = 0
        const played = await play(host.url, way, task)
        measured.push({ ...played, task, way, changes: [...effects.done].sort() })
      }
    }
    return measured
  } finally {
    await host.close()
    await effects.close()
  }
}
