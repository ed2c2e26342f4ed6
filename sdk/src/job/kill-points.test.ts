// An instance may die between any two things it does. Whatever it leaves behind ends right, and once.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { instance, read, start, startCall, storedJobs, tool, world } from './testing/works.ts'

const KEY = { 'idempotency-key': 'order 1' }

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

/** Steps a start takes when nothing happens to it. */
async function stepsOfStart(compares: boolean): Promise<number> {
  const by = instance(world(compares))
  await start(tool(by), by, KEY)
  return by.steps()
}

/** A store like Spin's, and one like our host's. */
const STORES = [false, true]
const steps = await stepsOfStart(false)
const points: [dieAt: number, compares: boolean][] = []
for (const compares of STORES) {
  const last = await stepsOfStart(compares)
  for (let dieAt = 1; dieAt <= last; dieAt++) points.push([dieAt, compares])
}

describe.each(points)(
  'a start that dies at step %i of all (store compares: %s)',
  (dieAt, compares) => {
    async function died() {
      const on = world(compares)
      const dying = instance(on, dieAt)
      await startCall(tool(dying), dying, KEY).catch(() => undefined)
      const by = instance(on)
      return { on, by, entry: tool(by) }
    }

    it('leaves no job that stays at work for ever, and none that ends twice', async () => {
      const { on, by, entry } = await died()
      // Begun work is never without a record.
      const jobs = storedJobs(on)
      expect(jobs).toEqual(expect.arrayContaining(on.begun))
      on.pass(31_000)
      for (const id of jobs) {
        const ended = await read(entry, by, id)
        expect(ended).toMatchObject(
          on.begun.includes(id)
            ? { status: 'completed', result: { content: [{ text: 'made' }] } }
            : { status: 'failed', error: { data: { kind: 'server_lost' } } },
        )
        on.pass(5000)
        expect(await read(entry, by, id, { method: 'DELETE' })).toEqual(ended)
      }
    })

    it('begins nothing twice when the same call is sent again', async () => {
      const { on, by, entry } = await died()
      const job = await start(entry, by, KEY)
      expect((await start(entry, by, KEY)).id).toBe(job.id)
      expect(on.begun.length).toBeLessThanOrEqual(1)
      on.pass(31_000)
      const { status } = await read(entry, by, job.id)
      expect(status).toBe(on.begun.length === 1 ? 'completed' : 'failed')
      expect(on.begun.filter((id) => id !== job.id)).toEqual([])
    })
  },
)

it('goes through the store and the service on the way', () => {
  // A start has at least: note when it ends, record, key, state, begin, accept.
  expect(steps).toBeGreaterThan(10)
})

describe.each([1, 2, 3, 4, 5])('a look that dies at step %i', (dieAt) => {
  it.each(STORES)(
    'leaves the job as it was, or as it is (store compares: %s)',
    async (compares) => {
      const on = world(compares)
      const by = instance(on)
      const { id } = await start(tool(by), by)
      on.pass(2000)
      const dying = instance(on, dieAt)
      await read(tool(dying), dying, id).catch(() => undefined)
      on.pass(2000)
      expect(await read(tool(by), by, id)).toMatchObject({
        status: 'completed',
        result: { content: [{ text: 'made' }] },
      })
    },
  )
})

describe.each([1, 2, 3, 4, 5, 6])('a cancel that dies at step %i', (dieAt) => {
  it('can be done again', async () => {
    const on = world()
    on.progress = 'running'
    const by = instance(on)
    const { id } = await start(tool(by), by)
    const dying = instance(on, dieAt)
    await read(tool(dying), dying, id, { method: 'DELETE' }).catch(() => undefined)
    expect(await read(tool(by), by, id, { method: 'DELETE' })).toMatchObject({
      status: 'cancelled',
    })
    expect(new Set(on.stopped)).toEqual(new Set([id]))
  })
})
