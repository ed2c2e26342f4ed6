// Many jobs at once, each with three subscribers: each receives the end once. The large version is a measurement.
import { expect, it } from 'vitest'
import { runLoad } from './load.ts'
import { tinyApplication } from './tiny.ts'
import { startWorld } from './world.ts'

const JOBS = 20

it('20 jobs with three subscribers each: each receives one end, and nothing is rendered twice', async () => {
  const { manifest, remove } = await tinyApplication()
  const world = await startWorld({ manifest, renderSeconds: 0.05 })
  try {
    const { ids, told } = await runLoad(world, { jobs: JOBS, clients: 4 })
    expect(new Set(ids).size).toBe(JOBS)
    expect(world.comfyui.taken.toSorted()).toEqual(ids.toSorted())
    for (const [kind, all] of Object.entries(told)) {
      expect(all, kind).toHaveLength(JOBS)
      for (const one of all) {
        expect(one, kind).toEqual({ chunks: 1, ends: 1, completed: true, refusals: 0 })
      }
    }
  } finally {
    await world.close()
    await remove()
  }
})
